import type { UserBody } from '@galley/wire';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, readAllPages, readAnswer } from '../api/api.ts';
import { tokensQuery } from '../tokens/token-queries.ts';

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

/** Called after a change: updates every copy of the user with the API's response. */
export async function keepUser(queryClient: QueryClient, user: UserBody): Promise<void> {
  queryClient.setQueryData(userQuery(user.id).queryKey, user);
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: usersQuery.queryKey }),
    // A user's tokens stop working when the user is suspended or no longer has the tokens' role.
    queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  ]);
}
