import type { ApiKeyBody } from '@galley/wire';
import { Badge } from '@mantine/core';
import { KEY_TEXTS } from '../texts/key-texts.ts';

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
