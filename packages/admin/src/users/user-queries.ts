import type { UserBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { readAllPages } from '../api/read-all-pages.ts';

const PAGE_ENTRIES = '100';

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: () =>
    readAllPages<UserBody>((cursor) =>
      readAnswer(
        api.GET('/manage/v1/users', {
          params: { query: { limit: PAGE_ENTRIES, ...(cursor === undefined ? {} : { cursor }) } },
        }),
      ),
    ),
});

export function userQuery(user: string) {
  return queryOptions({
    queryKey: ['users', user],
    queryFn: (): Promise<UserBody> => readAnswer(api.GET('/manage/v1/users/{user}', { params: { path: { user } } })),
  });
}
