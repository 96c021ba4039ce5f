import type { ApiKeyBody } from '@galley/wire';
import type { QueryClient } from '@tanstack/react-query';
import { keyQuery, keysQuery } from './key-queries.ts';

/** What the API has answered is what is shown, wherever the key is shown. */
export async function keepKey(queryClient: QueryClient, key: ApiKeyBody): Promise<void> {
  queryClient.setQueryData(keyQuery(key.id).queryKey, key);
  await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
}
