import type { ManagementTokenBody, RoleName } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAllPages, readAnswer } from '../api/api.ts';

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: () =>
    readAllPages<ManagementTokenBody>((position) =>
      readAnswer(api.GET('/manage/v1/tokens', { params: { query: position } })),
    ),
});

/** The number of working tokens that a user has created. If a role is given, counts only tokens with that role. */
export function countTokensOf(tokens: readonly ManagementTokenBody[], userId: string, named?: RoleName): number {
  return tokens.filter(
    ({ state, role, created_by: creator }) =>
      state === 'active' && creator?.id === userId && (named === undefined || role === named),
  ).length;
}
