import type { ApiKeyBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { readAllPages } from '../api/read-all-pages.ts';

const PAGE_ENTRIES = '100';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: () =>
    readAllPages<ApiKeyBody>((cursor) =>
      readAnswer(
        api.GET('/manage/v1/keys', {
          params: { query: { limit: PAGE_ENTRIES, ...(cursor === undefined ? {} : { cursor }) } },
        }),
      ),
    ),
});

export function keyQuery(key: string) {
  return queryOptions({
    queryKey: ['keys', key],
    queryFn: (): Promise<ApiKeyBody> => readAnswer(api.GET('/manage/v1/keys/{key}', { params: { path: { key } } })),
  });
}
