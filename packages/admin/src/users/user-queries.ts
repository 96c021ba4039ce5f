import type { UserBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAllPages, readAnswer } from '../api/api.ts';

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: () =>
    readAllPages<UserBody>((position) => readAnswer(api.GET('/manage/v1/users', { params: { query: position } }))),
});

export function userQuery(user: string) {
  return queryOptions({
    queryKey: ['users', user],
    queryFn: (): Promise<UserBody> => readAnswer(api.GET('/manage/v1/users/{user}', { params: { path: { user } } })),
  });
}
