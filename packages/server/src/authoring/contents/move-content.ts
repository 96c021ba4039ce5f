// What editors do with content as a whole: publish, discard changes, unpublish, schedule, archive, restore. When a call has returned,
// readers see its effect.

import { applyAction, type LifecycleAction } from '../../content/lifecycle.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import { discardNewerVersions } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { refuseFaults } from '../authoring-refusal.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { changeLife, refuseAction } from './change-life.ts';
import { type ContentDescription, describeContent } from './describe-content.ts';
import { findContent, type Subject } from './find-content.ts';
import { refuseFaultyPublish, refuseFaultySchedule } from './publish-faults.ts';
import { refuseLinked } from './refuse-linked.ts';
import { refuseStale } from './refuse-stale.ts';
import { restoreArchived } from './restore-archived.ts';

export interface ContentAddress {
  readonly siteId: string;
  readonly contentId: string;
}

export interface PublishOptions {
  /** The version that is meant: nothing newer is published. */
  readonly version?: number | undefined;
  readonly publishedAt?: number | undefined;
}

export function publishContent(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  options: PublishOptions,
): Promise<ContentDescription> {
  return move(desk, actor, address, async (job, subject) => {
    if (options.version !== undefined) await job.run(refuseStale(subject, options.version));
    const { status, newestVersion } = subject.record;
    // What is archived is said to be archived, whatever else is wrong with it.
    if (status !== 'archived') await job.run(refuseFaultyPublish(subject, job.prepared));
    const action = { kind: 'publish', publishedAt: options.publishedAt } as const;
    return changeLife(job, subject, [action], { action: 'content.publish', details: { version: newestVersion } });
  });
}

export interface DiscardOptions {
  /** The version that is known as the newest: nothing newer is discarded. */
  readonly version?: number | undefined;
}

/** Goes back to the published version. Readers see no difference, and the discarded versions stay in the history. */
export function discardChanges(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  { version }: DiscardOptions,
): Promise<ContentDescription> {
  return move(desk, actor, address, async (job, subject) => {
    const { catalog, record } = subject;
    const life = applyAction(record, { kind: 'discard_changes' }, job.now);
    if (!life.ok) throw refuseAction(subject, life.problem);
    if (version !== undefined) await job.run(refuseStale(subject, version));
    if (life.value.newestVersion === record.newestVersion) return subject;
    const { id, name } = job.actor;
    const kept = await job.run(discardNewerVersions(record, life.value, { id, name }, job.now));
    await job.note({
      action: 'content.discard_changes',
      siteId: catalog.site.id,
      subjectId: record.id,
      subjectName: kept.record.name,
      details: { from: record.publishedVersion, version: kept.record.newestVersion },
    });
    return { ...subject, ...kept };
  });
}

export interface WithdrawOptions {
  /** Whether it is known that published content links to it. */
  readonly isConfirmed: boolean;
}

export function unpublishContent(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  { isConfirmed }: WithdrawOptions,
): Promise<ContentDescription> {
  return move(desk, actor, address, async (job, subject) => {
    if (!isConfirmed) await refuseLinked(job, subject);
    return changeLife(job, subject, [{ kind: 'unpublish' }], { action: 'content.unpublish' });
  });
}

export function archiveContent(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  { isConfirmed }: WithdrawOptions,
): Promise<ContentDescription> {
  return move(desk, actor, address, async (job, subject) => {
    if (!isConfirmed) await refuseLinked(job, subject);
    return changeLife(job, subject, [{ kind: 'archive' }], { action: 'content.archive' });
  });
}

export interface RestoreOptions {
  /** In place of the one that it had. */
  readonly slug?: string | undefined;
}

export function restoreContent(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  { slug }: RestoreOptions,
): Promise<ContentDescription> {
  return move(desk, actor, address, (job, subject) => restoreArchived(job, subject, slug));
}

export interface ScheduleTimes {
  readonly publishAt?: number | undefined;
  readonly unpublishAt?: number | undefined;
}

/** A time that is not given stays as it was. */
export function scheduleContent(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  { publishAt, unpublishAt }: ScheduleTimes,
): Promise<ContentDescription> {
  if (publishAt === undefined && unpublishAt === undefined) {
    throw refuseFaults([{ path: 'publish_at', message: 'or unpublish_at must be given' }]);
  }
  return move(desk, actor, address, async (job, subject) => {
    const { record } = subject;
    if (publishAt !== undefined && record.status !== 'archived')
      await job.run(refuseFaultySchedule(subject, job.prepared));
    const hasBoth = publishAt !== undefined && unpublishAt !== undefined;
    const wasScheduled = record.publishAt !== null || record.unpublishAt !== null;
    const actions: LifecycleAction[] = [];
    // Both new times are held against each other, not against the old ones.
    if (hasBoth && wasScheduled) actions.push({ kind: 'cancel_schedule', which: 'both' });
    if (publishAt !== undefined) actions.push({ kind: 'schedule_publish', at: publishAt });
    if (unpublishAt !== undefined) actions.push({ kind: 'schedule_unpublish', at: unpublishAt });
    const details = {
      ...(publishAt === undefined ? {} : { publish_at: formatTimestamp(publishAt) }),
      ...(unpublishAt === undefined ? {} : { unpublish_at: formatTimestamp(unpublishAt) }),
    };
    return changeLife(job, subject, actions, { action: 'content.schedule', details });
  });
}

export function cancelSchedule(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  which: 'publish' | 'unpublish' | 'both',
): Promise<ContentDescription> {
  return move(desk, actor, address, (job, subject) =>
    changeLife(job, subject, [{ kind: 'cancel_schedule', which }], {
      action: 'content.cancel_schedule',
      details: { which },
    }),
  );
}

function move(
  desk: Desk,
  actor: Actor,
  { siteId, contentId }: ContentAddress,
  act: (job: Job, subject: Subject) => Promise<Subject>,
): Promise<ContentDescription> {
  return work(desk, actor, async (job) =>
    job.run(describeContent(await act(job, await findContent(job, siteId, contentId)), job.prepared)),
  );
}
