// The lifecycle of content as a state machine. All code that publishes, unpublishes, schedules or archives content uses these rules.
// Readers see only `published` content. docs/lifecycle.md has the table.

import type { Fault } from './fault.ts';
import { fail, ok, type Result } from './result.ts';

export const CONTENT_STATUSES = ['draft', 'published', 'unpublished', 'archived'] as const;

export type ContentStatus = (typeof CONTENT_STATUSES)[number];

/** The states shown to editors. `changed` means that the content is published, but its newest version is not. */
export const CONTENT_STATES = ['draft', 'published', 'changed', 'unpublished', 'archived'] as const;

export type ContentState = (typeof CONTENT_STATES)[number];

export interface Lifecycle {
  readonly status: ContentStatus;
  readonly newestVersion: number;
  readonly publishedVersion: number | null;
  /** The time of the first publication since the content was last unpublished, or a time that was set manually. */
  readonly publishedAt: number | null;
  readonly publishAt: number | null;
  readonly unpublishAt: number | null;
  /** The last failed schedule, kept until somebody deals with it. */
  readonly failedSchedule: FailedSchedule | null;
}

export type ScheduleKind = 'publish' | 'unpublish';

export interface FailedSchedule {
  readonly action: ScheduleKind;
  readonly dueAt: number;
  readonly failedAt: number;
  /** Null if the reason may have mentioned data that was permanently deleted. */
  readonly reason: FailureReason | null;
}

/** The message and the faults that a person would get for the same action. */
export interface FailureReason {
  readonly message: string;
  readonly faults: readonly Fault[];
}

export const SCHEDULES = ['publish', 'unpublish', 'both'] as const;

export type LifecycleAction =
  | { readonly kind: 'save' }
  /** @property publishedAt a manually set time; defaults to the current time */
  | { readonly kind: 'publish'; readonly publishedAt?: number | undefined }
  | { readonly kind: 'unpublish' }
  | { readonly kind: 'discard_changes' }
  | { readonly kind: 'schedule_publish'; readonly at: number }
  | { readonly kind: 'schedule_unpublish'; readonly at: number }
  | { readonly kind: 'cancel_schedule'; readonly which: (typeof SCHEDULES)[number] }
  | { readonly kind: 'archive' }
  | { readonly kind: 'restore' }
  | { readonly kind: 'fire_publish' }
  | { readonly kind: 'fire_unpublish' }
  | { readonly kind: 'fail_schedule'; readonly action: ScheduleKind; readonly reason: FailureReason };

/** The reasons for refusing an action. Each completes a sentence whose subject is the content, or the given time. */
export const LIFECYCLE_REFUSALS = {
  archived: 'is archived; it can only be restored',
  not_archived: 'is not archived',
  not_published: 'is not published',
  not_scheduled: 'has no such schedule',
  not_due: 'is not due yet',
  publish_first: 'is scheduled to be published first',
  published_in_future: 'must not be in the future; schedule publishing instead',
  scheduled_in_past: 'must be in the future',
  unpublish_before_publish: 'must be later than the publishing time',
} as const;

export type LifecycleRefusal = keyof typeof LIFECYCLE_REFUSALS;

type Outcome = Result<Lifecycle, LifecycleRefusal>;

export function findState({
  status,
  newestVersion,
  publishedVersion,
}: Pick<Lifecycle, 'status' | 'newestVersion' | 'publishedVersion'>): ContentState {
  return status === 'published' && newestVersion !== publishedVersion ? 'changed' : status;
}

export function applyAction(life: Lifecycle, action: LifecycleAction, now: number): Outcome {
  if (action.kind === 'restore') return life.status === 'archived' ? ok(withdraw(life, 'draft')) : fail('not_archived');
  if (life.status === 'archived') return fail('archived');
  switch (action.kind) {
    case 'save':
      return ok({ ...pick(life), newestVersion: life.newestVersion + 1 });
    case 'publish':
      return publish(life, action.publishedAt, now);
    case 'unpublish':
      // Content that was unpublished manually stays unpublished. No schedule publishes it again.
      return life.status === 'published' ? ok(withdraw(life, 'unpublished')) : fail('not_published');
    case 'discard_changes':
      return life.status === 'published' ? ok(discardChanges(life)) : fail('not_published');
    case 'schedule_publish':
      return schedule(forgetFailed(life, 'publish'), { publishAt: action.at }, action.at, now);
    case 'schedule_unpublish':
      return schedule(forgetFailed(life, 'unpublish'), { unpublishAt: action.at }, action.at, now);
    case 'cancel_schedule':
      return cancel(life, action.which);
    case 'archive':
      return ok(withdraw(life, 'archived'));
    case 'fire_publish':
      return firePublish(life, now);
    case 'fire_unpublish':
      return fireUnpublish(life, now);
    case 'fail_schedule':
      return failSchedule(life, action.action, action.reason, now);
  }
}

/** Finds a fault in the imported times of a content object. Returns its message and the affected property. */
export function findScheduleFault(
  status: ContentStatus,
  publishAt: number | null,
  unpublishAt: number | null,
): { readonly path: 'publish_at' | 'unpublish_at'; readonly message: string } | undefined {
  if (status === 'archived' && (publishAt !== null || unpublishAt !== null)) {
    return { path: publishAt === null ? 'unpublish_at' : 'publish_at', message: 'must not be set on archived content' };
  }
  if (publishAt === null || unpublishAt === null || publishAt < unpublishAt) return undefined;
  return { path: 'unpublish_at', message: LIFECYCLE_REFUSALS.unpublish_before_publish };
}

function publish(life: Lifecycle, publishedAt: number | undefined, now: number): Outcome {
  if (publishedAt !== undefined && publishedAt > now) return fail('published_in_future');
  // Publishing now overrides an unpublish time that is already in the past.
  const unpublishAt = life.unpublishAt !== null && life.unpublishAt <= now ? null : life.unpublishAt;
  return ok({ ...buildPublished(life, publishedAt ?? life.publishedAt ?? now), unpublishAt });
}

/**
 * The published version becomes the newest one, with a new number, because version numbers are never reused. A schedule that would
 * have published the discarded changes is cancelled.
 */
function discardChanges(life: Lifecycle): Lifecycle {
  if (life.newestVersion === life.publishedVersion) return pick(life);
  const next = life.newestVersion + 1;
  return { ...forgetFailed(life, 'publish'), ...dropTime('publish'), newestVersion: next, publishedVersion: next };
}

function schedule(
  life: Lifecycle,
  time: Partial<Pick<Lifecycle, 'publishAt' | 'unpublishAt'>>,
  given: number,
  now: number,
): Outcome {
  if (given <= now) return fail('scheduled_in_past');
  const scheduled = { ...life, ...time };
  const fault = findScheduleFault(life.status, scheduled.publishAt, scheduled.unpublishAt);
  return fault === undefined ? ok(scheduled) : fail('unpublish_before_publish');
}

/** Cancelling a failed schedule dismisses the failure. */
function cancel(life: Lifecycle, which: (typeof SCHEDULES)[number]): Outcome {
  const kinds: readonly ScheduleKind[] = which === 'both' ? ['publish', 'unpublish'] : [which];
  const isScheduled = kinds.some((kind) => findTime(life, kind) !== null || life.failedSchedule?.action === kind);
  if (!isScheduled) return fail('not_scheduled');
  let left = life;
  for (const kind of kinds) left = { ...forgetFailed(left, kind), ...dropTime(kind) };
  return ok(left);
}

/** `publishedAt` is the scheduled time, even if the service runs the schedule late. */
function firePublish(life: Lifecycle, now: number): Outcome {
  if (life.publishAt === null) return fail('not_scheduled');
  if (life.publishAt > now) return fail('not_due');
  return ok(buildPublished(life, life.publishedAt ?? life.publishAt));
}

/** For content that is not published, only the schedule is removed. */
function fireUnpublish(life: Lifecycle, now: number): Outcome {
  if (life.unpublishAt === null) return fail('not_scheduled');
  if (life.unpublishAt > now) return fail('not_due');
  if (life.publishAt !== null && life.publishAt <= life.unpublishAt) return fail('publish_first');
  if (life.status !== 'published') return ok({ ...pick(life), unpublishAt: null });
  return ok({
    ...withdraw(life, 'unpublished'),
    publishAt: life.publishAt,
    failedSchedule: life.failedSchedule,
  });
}

/** The schedule is not retried. A later unpublish time is kept, because somebody may publish the content manually before then. */
function failSchedule(life: Lifecycle, action: ScheduleKind, reason: FailureReason, now: number): Outcome {
  const dueAt = findTime(life, action);
  if (dueAt === null) return fail('not_scheduled');
  if (dueAt > now) return fail('not_due');
  return ok({ ...pick(life), ...dropTime(action), failedSchedule: { action, dueAt, failedAt: now, reason } });
}

function findTime({ publishAt, unpublishAt }: Lifecycle, kind: ScheduleKind): number | null {
  return kind === 'publish' ? publishAt : unpublishAt;
}

function dropTime(kind: ScheduleKind): Partial<Lifecycle> {
  return kind === 'publish' ? { publishAt: null } : { unpublishAt: null };
}

/** Clears a failed schedule if its action is scheduled again, cancelled, or no longer needed. */
function forgetFailed(life: Lifecycle, kind: ScheduleKind): Lifecycle {
  const { failedSchedule } = life;
  return { ...pick(life), failedSchedule: failedSchedule?.action === kind ? null : failedSchedule };
}

function buildPublished(life: Lifecycle, publishedAt: number): Lifecycle {
  return {
    ...forgetFailed(life, 'publish'),
    ...dropTime('publish'),
    status: 'published',
    publishedVersion: life.newestVersion,
    publishedAt,
  };
}

function withdraw({ newestVersion }: Lifecycle, status: 'draft' | 'unpublished' | 'archived'): Lifecycle {
  return {
    status,
    newestVersion,
    publishedVersion: null,
    publishedAt: null,
    publishAt: null,
    unpublishAt: null,
    failedSchedule: null,
  };
}

/** Keeps only the lifecycle properties of a record. */
function pick(life: Lifecycle): Lifecycle {
  const { status, newestVersion, publishedVersion, publishedAt, publishAt, unpublishAt, failedSchedule } = life;
  return { status, newestVersion, publishedVersion, publishedAt, publishAt, unpublishAt, failedSchedule };
}
