// What can be done to several objects at once, and which of them it means anything to.

import type { ContentStateName, ContentSummaryBody, ManagedContentBody } from '@galley/wire';
import { api, readAnswer } from '../api/api.ts';
import type { ListStatus } from './content-search.ts';

export type BulkAction = 'publish' | 'unpublish' | 'archive' | 'restore';

const STATES: Readonly<Record<BulkAction, readonly ContentStateName[]>> = {
  publish: ['draft', 'changed', 'unpublished'],
  unpublish: ['published', 'changed'],
  archive: ['draft', 'published', 'changed', 'unpublished'],
  restore: ['archived'],
};

export function listBulkActions(status: ListStatus | undefined): readonly BulkAction[] {
  return status === 'archived' ? ['restore'] : ['publish', 'unpublish', 'archive'];
}

export function isMeant(action: BulkAction, { state }: ContentSummaryBody): boolean {
  return STATES[action].includes(state);
}

/** Publishing by hand leaves no time at which to publish; what is taken away does not come back by itself. */
export function losesSchedule(
  action: BulkAction,
  { publish_at: publishAt, unpublish_at: unpublishAt }: ContentSummaryBody,
): boolean {
  return publishAt !== null || (isWithdrawal(action) && unpublishAt !== null);
}

/** What takes content away from readers is refused where other content links to it, unless that is confirmed. */
export function isWithdrawal(action: BulkAction): boolean {
  return action === 'unpublish' || action === 'archive';
}

export function actOn(
  site: string,
  action: BulkAction,
  { id, version }: ContentSummaryBody,
  isConfirmed: boolean,
): Promise<ManagedContentBody> {
  const params = { path: { site, content: id } };
  const root = '/manage/v1/sites/{site}/content/{content}';
  // Only what was seen in the list is published: not what somebody has saved since.
  if (action === 'publish') return readAnswer(api.POST(`${root}/publish`, { params, body: { version } }));
  if (action === 'restore') return readAnswer(api.POST(`${root}/restore`, { params, body: {} }));
  return readAnswer(api.POST(`${root}/${action}`, { params, body: { confirm: isConfirmed } }));
}
