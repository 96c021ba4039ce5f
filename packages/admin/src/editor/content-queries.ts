import type { ManagedContentBody } from '@galley/wire';
import { queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';

/** One content object as it was saved last. */
export function contentQuery(site: string, id: string) {
  return queryOptions({
    queryKey: ['sites', site, 'content', 'object', id],
    queryFn: (): Promise<ManagedContentBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/content/{content}', { params: { path: { site, content: id } } })),
  });
}
