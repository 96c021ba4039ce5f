import type { ManagedAuthorBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { endlessQuery, PAGE_ENTRIES } from '../lists/endless-query.ts';

export function authorsKey(site: string) {
  return ['sites', site, 'authors'] as const;
}

export function authorsQuery(site: string, search: string) {
  return endlessQuery<ManagedAuthorBody>([...authorsKey(site), 'list', search], (position) =>
    readAnswer(
      api.GET('/manage/v1/sites/{site}/authors', {
        params: { path: { site }, query: { limit: PAGE_ENTRIES, search, ...position } },
      }),
    ),
  );
}

export function authorQuery(site: string, author: string) {
  return queryOptions({
    queryKey: [...authorsKey(site), 'one', author],
    queryFn: (): Promise<ManagedAuthorBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/authors/{author}', { params: { path: { site, author } } })),
  });
}
