// One content object as it was saved last, and the content types that its form is made from.

import type { ManagedContentBody, ManagedTypeListBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';

export function contentQuery(site: string, id: string) {
  return queryOptions({
    queryKey: ['sites', site, 'content', 'object', id],
    queryFn: (): Promise<ManagedContentBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/content/{content}', { params: { path: { site, content: id } } })),
  });
}

export function typesQuery(site: string) {
  return queryOptions({
    queryKey: ['sites', site, 'types'],
    queryFn: (): Promise<ManagedTypeListBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/types', { params: { path: { site } } })),
  });
}
