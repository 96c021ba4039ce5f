// Shows whether a key works, and if not, why.

import type { ApiKeyBody } from '@galley/wire';
import { Badge } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { showToast } from '../elements/show-toast.tsx';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { keepKey } from './key-queries.ts';

type State = keyof typeof KEY_TEXTS.states;

const COLORS: Readonly<Record<State, string>> = { active: 'pine', revoked: 'red', expired: 'gray' };

export function findKeyState({ revoked_at: revokedAt, expires_at: expiresAt }: ApiKeyBody, now: number): State {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}

export function KeyState({ apiKey }: { readonly apiKey: ApiKeyBody }) {
  const state = findKeyState(apiKey, Date.now());
  return (
    <Badge variant="light" size="sm" color={COLORS[state]}>
      {KEY_TEXTS.states[state]}
    </Badge>
  );
}

export async function revokeKey(queryClient: QueryClient, { id, name }: ApiKeyBody): Promise<void> {
  const revoked: ApiKeyBody = await readAnswer(
    api.POST('/manage/v1/keys/{key}/revoke', { params: { path: { key: id } } }),
  );
  await keepKey(queryClient, revoked);
  showToast({ text: KEY_TEXTS.revoked(name) });
}
