// A summary of a site: how much content it has, its upcoming scheduled actions, and those that failed.

import type { FailedContentBody, OverviewBody, ScheduledBody } from '@galley/wire';
import { z } from 'zod';
import type { Actor } from '../../authoring/actor.ts';
import { selectOwnSite } from '../../authoring/sites/find-site.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import { type ContentCountRow, countContent } from '../../storage/contents/content-counts.ts';
import {
  countFailedSchedules,
  decodeFailedSchedule,
  type FailedScheduleRow,
  type NextScheduleRow,
  selectFailedSchedules,
  selectNextSchedules,
} from '../../storage/contents/schedules.ts';
import type { Procedure } from '../../storage/statement.ts';
import { defineRoute, type Route } from '../route.ts';
import { failedScheduleBody, renderFailedSchedule } from './content-bodies.ts';

const SHOWN_SCHEDULES = 10;

const scheduledBody: z.ZodType<ScheduledBody> = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    content_type: z.string(),
    language: z.string(),
    action: z.enum(['publish', 'unpublish']),
    at: z.string(),
  })
  .meta({ id: 'Scheduled' });

const failedContentBody: z.ZodType<FailedContentBody> = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    content_type: z.string(),
    language: z.string(),
    failed_schedule: failedScheduleBody,
  })
  .meta({ id: 'FailedContent' });

const overviewBody: z.ZodType<OverviewBody> = z
  .strictObject({
    states: z
      .strictObject({
        draft: z.int(),
        published: z.int(),
        changed: z.int(),
        unpublished: z.int(),
        archived: z.int(),
        scheduled: z.int(),
        failed: z.int(),
      })
      .describe(
        'Counted like `status` in the content list: `published` includes `changed`; `scheduled` and `failed` content can be in any state.',
      ),
    types: z
      .array(z.strictObject({ content_type: z.string(), total: z.int() }))
      .describe('Totals by content type handle, excluding archived content. Types without content are omitted.'),
    scheduled: z.array(scheduledBody).describe('The upcoming schedules, soonest first.'),
    failed: z.array(failedContentBody).describe('Failed schedules, latest first.'),
  })
  .meta({ id: 'Overview' });

export const OVERVIEW_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'getSiteOverview',
    method: 'GET',
    path: '/sites/{site}/overview',
    who: 'member',
    tag: 'Sites',
    summary: 'Read a site’s content totals, upcoming schedules and failed schedules',
    description:
      'States are counted like `status` in the content list: `published` includes `changed`. Totals by type exclude ' +
      `archived content. \`scheduled\` contains the next ${SHOWN_SCHEDULES} schedules, and \`failed\` the last ${SHOWN_SCHEDULES} that failed.`,
    status: 200,
    answer: overviewBody,
    refusals: [404],
    run: ({ desk, actor, path }) => desk.storage.read(selectOverview(actor, path.site ?? '')),
  }),
];

/** Reads everything from a single snapshot. */
function* selectOverview(actor: Actor, siteId: string): Procedure<OverviewBody> {
  const { no } = yield* selectOwnSite(actor, siteId);
  const counts = yield* countContent(no);
  const schedules = yield* selectNextSchedules(no, SHOWN_SCHEDULES);
  const failed = yield* selectFailedSchedules(no, SHOWN_SCHEDULES);
  return {
    states: { ...countStates(counts), failed: yield* countFailedSchedules(no) },
    types: countTypes(counts),
    scheduled: schedules.map(renderScheduled),
    failed: failed.flatMap(renderFailed),
  };
}

function countStates(counts: readonly ContentCountRow[]): Omit<OverviewBody['states'], 'failed'> {
  const sum = (isMeant: (row: ContentCountRow) => boolean): number =>
    counts.filter(isMeant).reduce((total, row) => total + row.total, 0);
  return {
    draft: sum(({ status }) => status === 'draft'),
    published: sum(({ status }) => status === 'published'),
    changed: sum(({ status, is_changed }) => status === 'published' && is_changed === 1),
    unpublished: sum(({ status }) => status === 'unpublished'),
    archived: sum(({ status }) => status === 'archived'),
    scheduled: sum(({ is_scheduled }) => is_scheduled === 1),
  };
}

/** Sorted by number of objects. */
function countTypes(counts: readonly ContentCountRow[]): OverviewBody['types'] {
  const totals = new Map<string, number>();
  for (const { type, status, total } of counts) {
    if (status !== 'archived') totals.set(type, (totals.get(type) ?? 0) + total);
  }
  return [...totals]
    .map(([type, total]) => ({ content_type: type, total }))
    .sort((one, other) => other.total - one.total || (one.content_type < other.content_type ? -1 : 1));
}

function renderScheduled({ kind, at, id, name, type, language }: NextScheduleRow): ScheduledBody {
  return { id, name, content_type: type, language, action: kind, at: formatTimestamp(at) };
}

function renderFailed(row: FailedScheduleRow): readonly FailedContentBody[] {
  const { id, name, type, language } = row;
  const failed = decodeFailedSchedule(row);
  if (failed === null) return [];
  return [{ id, name, content_type: type, language, failed_schedule: renderFailedSchedule(failed) }];
}
