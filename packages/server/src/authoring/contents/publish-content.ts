// Publishes, unpublishes, archives, restores and schedules content, and discards changes. Once a call returns, readers see its effect.

import type { Fault } from '../../content/fault.ts';
import { applyAction, type Lifecycle, type LifecycleAction } from '../../content/lifecycle.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import type { StoredContentRecord } from '../../storage/contents/content-records.ts';
import { countBacklinks, selectBacklinks } from '../../storage/contents/content-uses.ts';
import { discardNewerVersions, saveVersion } from '../../storage/contents/write-content.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { changeStatus, refuseAction } from './change-status.ts';
import { type ContentDescription, describeContent } from './describe-content.ts';
import { findContent, openSubject, type Subject } from './find-content.ts';
import { findSlugFault } from './free-slug.ts';
import { refuseFaultyPublish, refuseFaultySchedule } from './publish-faults.ts';
import { refuseStale } from './refuse-stale.ts';

export interface ContentAddress {
  readonly siteId: string;
  readonly contentId: string;
}

export interface PublishOptions {
  /** The newest version that the caller has seen. If there is a newer one, nothing is published. */
  readonly version?: number | undefined;
  readonly publishedAt?: number | undefined;
}

export function publishContent(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  options: PublishOptions,
): Promise<ContentDescription> {
  return changeContent(desk, actor, address, async (job, subject) => {
    if (options.version !== undefined) await job.run(refuseStale(subject, options.version));
    const { status, newestVersion } = subject.record;
    // Archived content is refused anyway, so its faults are not checked.
    if (status !== 'archived') await job.run(refuseFaultyPublish(subject, job.prepared));
    const action = { kind: 'publish', publishedAt: options.publishedAt } as const;
    return changeStatus(job, subject, [action], { action: 'content.publish', details: { version: newestVersion } });
  });
}

export interface DiscardOptions {
  /** The newest version that the caller has seen. If there is a newer one, nothing is discarded. */
  readonly version?: number | undefined;
}

/** Reverts to the published version. Readers see no difference, and the discarded versions stay in the history. */
export function discardChanges(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  { version }: DiscardOptions,
): Promise<ContentDescription> {
  return changeContent(desk, actor, address, async (job, subject) => {
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
  /** Whether the caller accepts that links to the content will stop working. */
  readonly isConfirmed: boolean;
}

export function unpublishContent(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  { isConfirmed }: WithdrawOptions,
): Promise<ContentDescription> {
  return changeContent(desk, actor, address, async (job, subject) => {
    if (!isConfirmed) await refuseLinked(job, subject);
    return changeStatus(job, subject, [{ kind: 'unpublish' }], { action: 'content.unpublish' });
  });
}

export function archiveContent(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  { isConfirmed }: WithdrawOptions,
): Promise<ContentDescription> {
  return changeContent(desk, actor, address, async (job, subject) => {
    if (!isConfirmed) await refuseLinked(job, subject);
    return changeStatus(job, subject, [{ kind: 'archive' }], { action: 'content.archive' });
  });
}

const MOST_LINKS_SHOWN = 100;
const MOST_LINKS_COUNTED = 1000;

/** Before published content is removed, the caller must confirm that links to it will stop working. */
async function refuseLinked(job: Job, { record }: Subject): Promise<void> {
  if (record.status !== 'published') return;
  const reach = { isPublishedOnly: true };
  const counted = await job.run(countBacklinks(record.siteNo, record.id, reach, MOST_LINKS_COUNTED + 1));
  if (counted === 0) return;
  const hasMore = counted > MOST_LINKS_COUNTED;
  const total = hasMore ? MOST_LINKS_COUNTED : counted;
  const rows = await job.run(selectBacklinks(record.siteNo, record.id, { ...reach, limit: MOST_LINKS_SHOWN }));
  throw new AuthoringRefusal(
    `${describeLinks(total, hasMore)} to ${record.id}. These links will stop working. Confirm to continue.`,
    {
      reason: 'conflict',
      code: 'linked',
      details: {
        total,
        has_more: hasMore,
        linked_from: rows.map(({ id, name, type, language }) => ({ id, name, content_type: type, language })),
      },
    },
  );
}

function describeLinks(total: number, hasMore: boolean): string {
  if (hasMore) return `More than ${total.toLocaleString('en')} published pages link`;
  return total === 1 ? '1 published page links' : `${total.toLocaleString('en')} published pages link`;
}

export interface RestoreOptions {
  /** Replaces the old slug. */
  readonly slug?: string | undefined;
}

export function restoreContent(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  { slug }: RestoreOptions,
): Promise<ContentDescription> {
  return changeContent(desk, actor, address, (job, subject) => restoreArchived(job, subject, slug));
}

/**
 * Other content may have taken the slug of archived content. In that case, the archived content is restored with a different slug, as a
 * new version.
 * @param slug undefined to keep the old slug
 */
async function restoreArchived(job: Job, subject: Subject, slug: string | undefined): Promise<Subject> {
  const { catalog, type, record } = subject;
  const restored = applyAction(record, { kind: 'restore' }, job.now);
  if (!restored.ok) throw refuseAction(subject, restored.problem);
  const place = { catalog, type, language: record.language, id: record.id };
  const fault = await job.run(findSlugFault(place, slug ?? record.slug));
  if (fault !== undefined) throw slug === undefined ? refuseOldSlug(record, fault) : refuseFaults([fault]);
  if (slug !== undefined && slug !== record.slug) return restoreAs(job, subject, restored.value, slug);
  return changeStatus(job, subject, [{ kind: 'restore' }], { action: 'content.restore' });
}

function refuseOldSlug({ id, slug }: StoredContentRecord, fault: Fault): AuthoringRefusal {
  return new AuthoringRefusal(
    `Content ${id} cannot be restored with its slug ${slug}, which ${fault.message}. Restore it with a different slug.`,
    { reason: 'conflict', code: 'taken', faults: [fault], details: { slug } },
  );
}

/** Saves the status and the slug in one write: the old slug must not reappear, even briefly. */
async function restoreAs(job: Job, subject: Subject, restored: Lifecycle, slug: string): Promise<Subject> {
  const { catalog, record, newest } = subject;
  const saved = applyAction(restored, { kind: 'save' }, job.now);
  if (!saved.ok) throw refuseAction(subject, saved.problem);
  const { id, name } = job.actor;
  const version = { ...newest, slug, savedAt: job.now, savedBy: { id, name } };
  const moved = await job.run(saveVersion(record, version, saved.value, catalog, job.now));
  const details = { slug, version: moved.newestVersion };
  await job.note({
    action: 'content.restore',
    siteId: catalog.site.id,
    subjectId: record.id,
    subjectName: record.name,
    details,
  });
  return job.run(openSubject(catalog, moved));
}

export interface ScheduleTimes {
  readonly publishAt?: number | undefined;
  readonly unpublishAt?: number | undefined;
}

/** A time that is omitted stays as it was. */
export function scheduleContent(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  { publishAt, unpublishAt }: ScheduleTimes,
): Promise<ContentDescription> {
  if (publishAt === undefined && unpublishAt === undefined) {
    throw refuseFaults([{ path: 'publish_at', message: 'or unpublish_at must be given', code: 'required' }]);
  }
  return changeContent(desk, actor, address, async (job, subject) => {
    const { record } = subject;
    if (publishAt !== undefined && record.status !== 'archived')
      await job.run(refuseFaultySchedule(subject, job.prepared));
    const hasBoth = publishAt !== undefined && unpublishAt !== undefined;
    const wasScheduled = record.publishAt !== null || record.unpublishAt !== null;
    const actions: LifecycleAction[] = [];
    // Compare the two new times with each other, not with the old ones.
    if (hasBoth && wasScheduled) actions.push({ kind: 'cancel_schedule', which: 'both' });
    if (publishAt !== undefined) actions.push({ kind: 'schedule_publish', at: publishAt });
    if (unpublishAt !== undefined) actions.push({ kind: 'schedule_unpublish', at: unpublishAt });
    const details = {
      ...(publishAt === undefined ? {} : { publish_at: formatTimestamp(publishAt) }),
      ...(unpublishAt === undefined ? {} : { unpublish_at: formatTimestamp(unpublishAt) }),
    };
    return changeStatus(job, subject, actions, { action: 'content.schedule', details });
  });
}

export function cancelSchedule(
  desk: Desk,
  actor: Actor,
  address: ContentAddress,
  which: 'publish' | 'unpublish' | 'both',
): Promise<ContentDescription> {
  return changeContent(desk, actor, address, (job, subject) =>
    changeStatus(job, subject, [{ kind: 'cancel_schedule', which }], {
      action: 'content.cancel_schedule',
      details: { which },
    }),
  );
}

function changeContent(
  desk: Desk,
  actor: Actor,
  { siteId, contentId }: ContentAddress,
  act: (job: Job, subject: Subject) => Promise<Subject>,
): Promise<ContentDescription> {
  return work(desk, actor, async (job) =>
    job.run(describeContent(await act(job, await findContent(job, siteId, contentId)), job.prepared)),
  );
}
