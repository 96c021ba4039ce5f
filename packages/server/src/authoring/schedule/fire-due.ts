// Runs scheduled actions that are due. Each runs in its own transaction, which reads the content again, so an action runs only once even
// if several processes try. A failure is stored with the content, does not block other actions, and is not retried.

import { setImmediate } from 'node:timers/promises';
import type { Catalog } from '../../content/catalog.ts';
import { buildId } from '../../content/ids.ts';
import { applyAction, type FailureReason } from '../../content/lifecycle.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import { buildFailureEvent } from '../../content/webhook-event.ts';
import { type StoredContentRecord, selectRecord } from '../../storage/contents/content-records.ts';
import { type DueRow, selectDue } from '../../storage/contents/schedules.ts';
import { moveContent } from '../../storage/contents/write-content.ts';
import { StorageUnavailable } from '../../storage/engine.ts';
import { insertEvent } from '../../storage/webhooks/webhook-calls.ts';
import { type Actor, SCHEDULE_ACTOR } from '../actor.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import { changeStatus } from '../contents/change-status.ts';
import { findContent, type Subject } from '../contents/find-content.ts';
import { findSlugFault } from '../contents/free-slug.ts';
import { refuseFaultyPublish } from '../contents/publish-faults.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { findCatalog } from '../sites/find-site.ts';

/** The outcome of a scheduled action. */
export interface Firing {
  readonly kind: DueRow['kind'];
  readonly siteId: string;
  readonly contentId: string;
  readonly dueAt: number;
  readonly at: number;
  /** Why the scheduled action failed; null if it succeeded. */
  readonly failure: Failure | null;
  /** The ids of the webhooks that are not told about the failure, because too many of their calls are waiting. */
  readonly untold: readonly string[];
}

export interface Failure {
  readonly reason: FailureReason;
  /** The error if the failure is a bug, not a refusal. */
  readonly bug: unknown;
}

/** The number of schedules to read per batch. */
const BATCH = 50;
/** Limited, because content lists include these faults for each object. */
const MOST_FAULTS_KEPT = 20;
const INTERNAL_ERROR = 'An internal error occurred. See the service log for details.';

/** Runs scheduled actions in chronological order. If the caller stops iterating, no further actions are started. */
export async function* fireDue(desk: Desk, now: number): AsyncGenerator<Firing, void, undefined> {
  for (;;) {
    let hasFired = false;
    for (const due of await desk.storage.read(selectDue(now, BATCH))) {
      const firing = await fire(desk, due);
      if (firing === undefined) continue;
      hasFired = true;
      yield firing;
      // Calls to the embedded database never yield to other work. Without this pause, readers would have to wait for all due schedules
      // after a long outage.
      await setImmediate();
    }
    if (!hasFired) return;
  }
}

async function fire(desk: Desk, due: DueRow): Promise<Firing | undefined> {
  const actor: Actor = { ...SCHEDULE_ACTOR, accountNo: due.account_no };
  try {
    return await work(desk, actor, (job) => carryOut(job, due));
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error;
    return work(desk, actor, (job) => keepFailure(job, due, describeFailure(error)));
  }
}

async function carryOut(job: Job, due: DueRow): Promise<Firing | undefined> {
  const record = await findDueRecord(job, due);
  if (record === undefined) return undefined;
  const carry = due.kind === 'publish' ? publishAsScheduled : unpublishAsScheduled;
  await carry(job, await findContent(job, due.site_id, due.content_id), { due_at: formatTimestamp(due.due_at) });
  return buildFiring(job, due, null);
}

type Details = Readonly<Record<string, unknown>>;

/** Sets `published_at` to the scheduled time, even if the service is late. */
async function publishAsScheduled(job: Job, subject: Subject, details: Details): Promise<void> {
  const { catalog, type, record } = subject;
  const { id, language, slug, status, newestVersion: version } = record;
  if (status !== 'archived') {
    const fault = await job.run(findSlugFault({ catalog, type, language, id }, slug));
    if (fault !== undefined) {
      throw new AuthoringRefusal(`Its slug ${slug} ${fault.message}.`, {
        reason: 'conflict',
        code: 'taken',
        faults: [fault],
      });
    }
    await job.run(refuseFaultyPublish(subject, job.prepared));
  }
  const note = { action: 'content.publish', details: { version, ...details } };
  await changeStatus(job, subject, [{ kind: 'fire_publish' }], note);
}

/** Does not ask for confirmation, even if other content links to this content. */
async function unpublishAsScheduled(job: Job, subject: Subject, details: Details): Promise<void> {
  // If the content is not published, only the schedule is removed: the log must not say that anything was unpublished.
  const note =
    subject.record.status === 'published'
      ? { action: 'content.unpublish', details }
      : { action: 'content.cancel_schedule', details: { which: 'unpublish', ...details } };
  await changeStatus(job, subject, [{ kind: 'fire_unpublish' }], note);
}

async function keepFailure(job: Job, due: DueRow, failure: Failure): Promise<Firing | undefined> {
  const record = await findDueRecord(job, due);
  if (record === undefined) return undefined;
  const { kind, site_id: siteId } = due;
  const failed = applyAction(record, { kind: 'fail_schedule', action: kind, reason: failure.reason }, job.now);
  // Archived content has no schedules, unless someone has edited the database directly.
  const next = failed.ok ? failed.value : { ...record, publishAt: null, unpublishAt: null };
  const catalog = await findCatalog(job, siteId);
  await job.run(moveContent(record, next, catalog, job.now));
  const { message, faults } = failure.reason;
  const details = {
    action: kind,
    reason: message,
    errors: faults.map((fault) => ({ code: 'invalid', ...fault })),
    content_type: catalog.typesByNo.get(record.typeNo)?.handle,
    due_at: formatTimestamp(due.due_at),
  };
  await job.note({ action: 'schedule.fail', siteId, subjectId: record.id, subjectName: record.name, details });
  return buildFiring(job, due, failure, await tellWebhooks(job, catalog, record, message));
}

async function tellWebhooks(
  job: Job,
  { site, typesByNo }: Catalog,
  { id, typeNo, language }: StoredContentRecord,
  reason: string,
): Promise<readonly string[]> {
  const type = typesByNo.get(typeNo)?.handle ?? '';
  const event = buildFailureEvent({ site: site.id, id, content_type: type, language, reason }, job.now);
  const newId = (): string => buildId('webhookCall', job.newUuid());
  return job.run(insertEvent(site.no, event, { subject: { type, language }, newId, now: job.now }));
}

/** Returns undefined if another process got there first, the schedule was changed, or the clock was set back. */
async function findDueRecord(job: Job, due: DueRow): Promise<StoredContentRecord | undefined> {
  const record = await job.run(selectRecord(due.site_no, due.content_id));
  const dueAt = due.kind === 'publish' ? record?.publishAt : record?.unpublishAt;
  return dueAt === due.due_at && dueAt <= job.now ? record : undefined;
}

function buildFiring(job: Job, due: DueRow, failure: Failure | null, untold: readonly string[] = []): Firing {
  const { kind, site_id: siteId, content_id: contentId, due_at: dueAt } = due;
  return { kind, siteId, contentId, dueAt, at: job.now, failure, untold };
}

function describeFailure(error: unknown): Failure {
  if (!(error instanceof AuthoringRefusal)) return { reason: { message: INTERNAL_ERROR, faults: [] }, bug: error };
  const { message, faults } = error;
  return { reason: { message, faults: faults.slice(0, MOST_FAULTS_KEPT) }, bug: null };
}
