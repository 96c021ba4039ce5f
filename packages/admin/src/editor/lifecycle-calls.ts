// What can be done with content besides saving it.

import type { ManagedContentBody, RestoredVersionBody } from '@galley/wire';
import { api, readAnswer } from '../api/api.ts';

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

/** A draft of its own, with the values of the newest version. */
export function duplicateContent(site: string, content: string): Promise<ManagedContentBody> {
  const params = { path: { site, content } };
  return readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/duplicate', { params, body: {} }));
}

/** @param confirm also where published content links to it */
export function unpublishContent(site: string, content: string, confirm: boolean): Promise<ManagedContentBody> {
  const params = { path: { site, content } };
  return readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/unpublish', { params, body: { confirm } }));
}

/** @param confirm also where published content links to it */
export function archiveContent(site: string, content: string, confirm: boolean): Promise<ManagedContentBody> {
  const params = { path: { site, content } };
  return readAnswer(api.POST('/manage/v1/sites/{site}/content/{content}/archive', { params, body: { confirm } }));
}

/** Also dismisses a schedule of the kind that has failed. */
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

/** Deletes archived content with all its versions. */
export async function deleteContent(site: string, content: string): Promise<void> {
  const params = { path: { site, content }, query: { confirm: content } };
  await readAnswer(api.DELETE('/manage/v1/sites/{site}/content/{content}', { params }));
}

/** @param number the version whose values come back */
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
