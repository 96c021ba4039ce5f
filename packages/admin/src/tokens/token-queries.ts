import type { ManagementTokenBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { readAllPages } from '../api/read-all-pages.ts';

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: () =>
    readAllPages<ManagementTokenBody>((position) =>
      readAnswer(api.GET('/manage/v1/tokens', { params: { query: position } })),
    ),
});
