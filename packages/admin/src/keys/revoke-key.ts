import type { ApiKeyBody } from '@galley/wire';
import type { QueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { showToast } from '../elements/show-toast.tsx';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { keepKey } from './keep-key.ts';

export async function revokeKey(queryClient: QueryClient, { id, name }: ApiKeyBody): Promise<void> {
  const revoked: ApiKeyBody = await readAnswer(
    api.POST('/manage/v1/keys/{key}/revoke', { params: { path: { key: id } } }),
  );
  await keepKey(queryClient, revoked);
  showToast({ text: KEY_TEXTS.revoked(name) });
}
