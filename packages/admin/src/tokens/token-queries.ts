import type { ManagementTokenBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { readAllPages } from '../api/read-all-pages.ts';

const PAGE_ENTRIES = '100';

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: () =>
    readAllPages<ManagementTokenBody>((cursor) =>
      readAnswer(
        api.GET('/manage/v1/tokens', {
          params: { query: { limit: PAGE_ENTRIES, ...(cursor === undefined ? {} : { cursor }) } },
        }),
      ),
    ),
});
