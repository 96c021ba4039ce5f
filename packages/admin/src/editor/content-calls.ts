// API calls for one content object: reading it, and every action except saving its text.

import type { ManagedContentBody, RestoredVersionBody } from '@galley/wire';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { isConflict } from '../api/api-error.ts';

/** The newest saved version of one content object. */
export function contentQuery(site: string, id: string) {
  return queryOptions({
    queryKey: ['sites', site, 'content', 'object', id],
    queryFn: (): Promise<ManagedContentBody> =>
      readAnswer(api.GET('/manage/v1/sites/{site}/content/{content}', { params: { path: { site, content: id } } })),
  });
}

/** Called after a change: stores the new version in the cache, and reloads the lists and all other data about content. */
export async function keepContent(queryClient: QueryClient, site: string, content: ManagedContentBody): Promise<void> {
  const { queryKey } = contentQuery(site, content.id);
  await queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData(queryKey, content);
  await queryClient.invalidateQueries({
    queryKey: ['sites', site, 'content'],
    predicate: (query) => query.queryKey[3] !== 'object',
  });
}

/** Runs an action on the version that the panel has loaded. If somebody has saved a newer version, loads it for the next attempt. */
export async function doForNewest<Outcome>(
  queryClient: QueryClient,
  site: string,
  id: string,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (isConflict(error)) await queryClient.invalidateQueries({ queryKey: contentQuery(site, id).queryKey });
    throw error;
  }
}

export function publishContent(site: string, content: string, version: number): Promise<ManagedContentBody> {
  const params = { path: { site, content } };
  return readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/publish', { params, body: { version } }));
}

/** Goes back to the published version. */
export function discardChanges(site: string, content: string, version: number): Promise<ManagedContentBody> {
  const params = { path: { site, content } };
  return readAnswer(
    api.POST('/manage/v1/sites/{site}/content/{content}/discard-changes', { params, body: { version } }),
  );
}

/** Creates a new draft with the values of the newest version. */
export function duplicateContent(site: string, content: string): Promise<ManagedContentBody> {
  const params = { path: { site, content } };
  return readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/duplicate', { params, body: {} }));
}

/** @param confirm whether to proceed even if published content links here */
export function unpublishContent(site: string, content: string, confirm: boolean): Promise<ManagedContentBody> {
  const params = { path: { site, content } };
  return readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/unpublish', { params, body: { confirm } }));
}

/** @param confirm whether to proceed even if published content links here */
export function archiveContent(site: string, content: string, confirm: boolean): Promise<ManagedContentBody> {
  const params = { path: { site, content } };
  return readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/archive', { params, body: { confirm } }));
}

/** Also dismisses a failed schedule of that kind. */
export function cancelSchedule(
  site: string,
  content: string,
  which: 'publish' | 'unpublish' | 'both',
): Promise<ManagedContentBody> {
  const params = { path: { site, content } };
  return readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/cancel-schedule', { params, body: { which } }));
}

/** Brings archived content back as a draft. */
export function restoreContent(site: string, content: string): Promise<ManagedContentBody> {
  const params = { path: { site, content } };
  return readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/restore', { params, body: {} }));
}

/** Deletes archived content along with all its versions. */
export async function deleteContent(site: string, content: string): Promise<void> {
  const params = { path: { site, content }, query: { confirm: content } };
  await readAnswer(api.DELETE('/manage/v1/sites/{site}/content/{content}', { params }));
}

/** @param number the version to restore */
export function restoreVersion(
  site: string,
  content: string,
  number: number,
  version: number,
): Promise<RestoredVersionBody> {
  const params = { path: { site, content, number: String(number) } };
  return readAnswer(
    api.POST('/manage/v1/sites/{site}/content/{content}/versions/{number}/restore', { params, body: { version } }),
  );
}
