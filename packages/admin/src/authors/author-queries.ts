import type { ManagedAuthorBody } from '@galley/wire';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { endlessQuery } from '../lists/endless-query.ts';

const MOST_CHOICES = '50';

export function authorsKey(site: string) {
  return ['sites', site, 'authors'] as const;
}

export function authorsQuery(site: string, search: string) {
  return endlessQuery<ManagedAuthorBody>([...authorsKey(site), 'list', search], (position, signal) =>
    readAnswer(
      api.GET('/manage/v1/sites/{site}/authors', {
        params: { path: { site }, query: { search, ...position } },
        signal,
      }),
    ),
  );
}

/** Authors that match the name being typed. */
export function authorChoicesQuery(site: string, search: string) {
  return queryOptions({
    queryKey: [...authorsKey(site), 'choices', search],
    queryFn: async ({ signal }): Promise<readonly ManagedAuthorBody[]> => {
      const query = { limit: MOST_CHOICES, ...(search === '' ? {} : { search }) };
      const call = api.GET('/manage/v1/sites/{site}/authors', { params: { path: { site }, query }, signal });
      return (await readAnswer(call)).data;
    },
    placeholderData: keepPreviousData,
  });
}

export function authorQuery(site: string, author: string) {
  return queryOptions({
    queryKey: [...authorsKey(site), 'one', author],
    queryFn: (): Promise<ManagedAuthorBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/authors/{author}', { params: { path: { site, author } } })),
  });
}
