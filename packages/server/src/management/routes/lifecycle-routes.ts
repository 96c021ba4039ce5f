// The lifecycle of content. The rules are in docs/lifecycle.md.

import { deleteContent } from '../../authoring/contents/delete-content.ts';
import {
  archiveContent,
  type ContentAddress,
  cancelSchedule,
  discardChanges,
  publishContent,
  restoreContent,
  scheduleContent,
  unpublishContent,
} from '../../authoring/contents/publish-content.ts';
import { SCHEDULES } from '../../content/lifecycle.ts';
import { oneOfMember, orUnset, strictMembers, switchMember, timeMember } from '../../content/schema-members.ts';
import { confirmation, inQuery } from '../parameters.ts';
import { defineRoute, type Route } from '../route.ts';
import { managedContentBody, renderManagedContent, slugMember, versionMember } from './content-bodies.ts';

const LINKED_HINT =
  'If published content links to it, the response is 409 and lists that content, unless `confirm` is true.';

const withdrawal = strictMembers('the body', { confirm: orUnset(switchMember) });

/** Shared by all routes here. */
const common = {
  method: 'POST',
  who: 'member',
  tag: 'Content',
  status: 200,
  answer: managedContentBody,
  render: renderManagedContent,
} as const;

function readAddress(path: Readonly<Record<string, string>>): ContentAddress {
  return { siteId: path.site ?? '', contentId: path.content ?? '' };
}

export const LIFECYCLE_ROUTES: readonly Route[] = [
  defineRoute({
    ...common,
    operationId: 'publishContent',
    path: '/sites/{site}/content/{content}/publish',
    summary: 'Publish the newest version',
    description:
      'Readers see it on their next request. `version` is the version that you intend to publish: if there is a ' +
      'newer one, nothing is published. `published_at` overrides the publication time. A page cannot be published at ' +
      'the URL of another published page in the same language: the response is 409, `details.reason` is `url_taken`, ' +
      'and `details.content` is the other page. Pages that already share a URL can still be updated; `warnings` lists ' +
      'the others, and pages with the same URL in other languages.',
    body: strictMembers('the body', { version: orUnset(versionMember), published_at: orUnset(timeMember) }),
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, body: { version, published_at: publishedAt } }) =>
      publishContent(desk, actor, readAddress(path), { version, publishedAt }),
  }),
  defineRoute({
    ...common,
    operationId: 'discardChanges',
    path: '/sites/{site}/content/{content}/discard-changes',
    summary: 'Go back to the published version',
    description:
      'The published version becomes the newest one again, as a new version with the same values and `updated_at`. ' +
      'Readers see no difference, and the discarded versions stay in the history. Scheduled publishing is cancelled, but ' +
      'scheduled unpublishing is kept. If there are no newer changes, nothing happens. Returns 409 if the content is not ' +
      'published. `version` is the newest version that you have seen: if there is a newer one, nothing is discarded.',
    body: strictMembers('the body', { version: orUnset(versionMember) }),
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, body }) => discardChanges(desk, actor, readAddress(path), body),
  }),
  defineRoute({
    ...common,
    operationId: 'unpublishContent',
    path: '/sites/{site}/content/{content}/unpublish',
    summary: 'Unpublish content',
    description: `Readers can no longer see it. Its schedules are cancelled. ${LINKED_HINT}`,
    body: withdrawal,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, body }) =>
      unpublishContent(desk, actor, readAddress(path), { isConfirmed: body.confirm === true }),
  }),
  defineRoute({
    ...common,
    operationId: 'scheduleContent',
    path: '/sites/{site}/content/{content}/schedule',
    summary: 'Schedule publishing, unpublishing, or both',
    description:
      'The newest version will be published at the given time. An omitted time stays as it was. If another page has ' +
      'the same URL, the content can still be scheduled: that page may be unpublished by then. A schedule that fails ' +
      'is kept as `failed_schedule` and is not retried. A new time for the same action removes it.',
    body: strictMembers('a schedule', { publish_at: orUnset(timeMember), unpublish_at: orUnset(timeMember) }),
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, body: { publish_at: publishAt, unpublish_at: unpublishAt } }) =>
      scheduleContent(desk, actor, readAddress(path), { publishAt, unpublishAt }),
  }),
  defineRoute({
    ...common,
    operationId: 'cancelSchedule',
    path: '/sites/{site}/content/{content}/cancel-schedule',
    summary: 'Cancel a schedule, or dismiss a failed one',
    description: 'Removes the time, and any `failed_schedule` for the same action. `which` is `both` by default.',
    body: strictMembers('the body', { which: orUnset(oneOfMember(SCHEDULES)) }),
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, body: { which = 'both' } }) => cancelSchedule(desk, actor, readAddress(path), which),
  }),
  defineRoute({
    ...common,
    operationId: 'archiveContent',
    path: '/sites/{site}/content/{content}/archive',
    summary: 'Archive content',
    description: `It is no longer visible to readers or in previews, and other content can use its slug. ${LINKED_HINT}`,
    body: withdrawal,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, body }) =>
      archiveContent(desk, actor, readAddress(path), { isConfirmed: body.confirm === true }),
  }),
  defineRoute({
    ...common,
    operationId: 'restoreContent',
    path: '/sites/{site}/content/{content}/restore',
    summary: 'Restore archived content as a draft',
    description:
      'Returns 409 if other content has taken its slug. With a `slug` in the body, it is restored with that slug, as a ' +
      'new version.',
    body: strictMembers('the body', { slug: orUnset(slugMember) }),
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, body }) => restoreContent(desk, actor, readAddress(path), body),
  }),
  defineRoute({
    operationId: 'deleteContent',
    method: 'DELETE',
    path: '/sites/{site}/content/{content}',
    who: 'owner',
    tag: 'Content',
    summary: 'Delete archived content for good',
    description:
      '`confirm` must be the id of the content. Returns 409 unless the content is archived. All its versions are ' +
      'deleted. The audit log records the deletion, without the name. Its translations are kept. Links to it stay in ' +
      'other content, but nobody sees them.',
    query: confirmation,
    status: 204,
    answer: null,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, query }) => inQuery(deleteContent(desk, actor, readAddress(path), query.confirm)),
  }),
];
