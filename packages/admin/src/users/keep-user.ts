import type { UserBody } from '@galley/wire';
import type { QueryClient } from '@tanstack/react-query';
import { tokensQuery } from '../tokens/token-queries.ts';
import { userQuery, usersQuery } from './user-queries.ts';

/** What the API has answered is what is shown, wherever the user is shown. */
export async function keepUser(queryClient: QueryClient, user: UserBody): Promise<void> {
  queryClient.setQueryData(userQuery(user.id).queryKey, user);
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: usersQuery.queryKey }),
    // Their tokens work as long as they may do what the tokens may do.
    queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  ]);
}
