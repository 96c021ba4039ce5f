import type { ApiKeyBody } from '@galley/wire';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, readAllPages, readAnswer } from '../api/api.ts';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: () =>
    readAllPages<ApiKeyBody>((position) => readAnswer(api.GET('/manage/v1/keys', { params: { query: position } }))),
});

export function keyQuery(key: string) {
  return queryOptions({
    queryKey: ['keys', key],
    queryFn: (): Promise<ApiKeyBody> => readAnswer(api.GET('/manage/v1/keys/{key}', { params: { path: { key } } })),
  });
}

/** Called after a change: updates the key everywhere with the API's response. */
export async function keepKey(queryClient: QueryClient, key: ApiKeyBody): Promise<void> {
  queryClient.setQueryData(keyQuery(key.id).queryKey, key);
  await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
}
