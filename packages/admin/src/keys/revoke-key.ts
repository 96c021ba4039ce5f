import type { ApiKeyBody } from '@galley/wire';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { KEY_TEXTS } from '../texts/key-texts.ts';
import { keepKey } from './keep-key.ts';

export async function revokeKey(queryClient: QueryClient, { id, name }: ApiKeyBody): Promise<void> {
  const revoked: ApiKeyBody = await readAnswer(
    api.POST('/manage/v1/keys/{key}/revoke', { params: { path: { key: id } } }),
  );
  await keepKey(queryClient, revoked);
  notifications.show({ message: KEY_TEXTS.revoked(name) });
}
