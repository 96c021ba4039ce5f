// Every save that changes something creates a new version. All versions are kept.

import { applyAction } from '../../content/lifecycle.ts';
import { saveVersion, typesetVersion } from '../../storage/contents/write-content.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Actor } from '../actor.ts';
import type { AuditNote } from '../audit-note.ts';
import { refuseFaults } from '../authoring-refusal.ts';
import { type Desk, type Job, prepareAt, work } from '../desk.ts';
import { refuseAction } from './change-status.ts';
import { type ContentDescription, describeContent } from './describe-content.ts';
import { findContent, openSubject, type Subject, selectSubject } from './find-content.ts';
import { findPublishFaults, NO_FINDINGS, type PublishFindings } from './publish-faults.ts';
import { readValidParts, readVersion, type Saving, type VersionInput } from './read-version.ts';
import { findChangedPaths, refuseStale } from './refuse-stale.ts';

export interface SaveInput extends VersionInput {
  /** The number of the version that the change is based on. */
  readonly version: number;
}

export function saveContent(
  desk: Desk,
  actor: Actor,
  siteId: string,
  contentId: string,
  input: SaveInput,
): Promise<ContentDescription> {
  return work(desk, actor, async (job) => {
    const subject = await findContent(job, siteId, contentId);
    const { sanitised, ...saved } = await saveInput(job, subject, input, { action: 'content.save' });
    return { ...(await job.run(describeContent(saved, job.prepared))), sanitised };
  });
}

/** @param note for the audit log; the number of the new version is added to it */
export async function saveInput(
  job: Job,
  subject: Subject,
  { version: seen, ...input }: SaveInput,
  note: Pick<AuditNote, 'action' | 'details'>,
): Promise<Subject & { readonly sanitised: readonly string[] }> {
  const { catalog, type, record, newest } = subject;
  const life = applyAction(record, { kind: 'save' }, job.now);
  if (!life.ok) throw refuseAction(subject, life.problem);
  const place = { catalog, type, language: record.language, id: record.id };
  const reading = await job.run(readVersion(job, place, keepLiveSlug(record, input), newest));
  if (!reading.ok) {
    await job.run(refuseStale(subject, seen));
    throw refuseFaults(reading.problem);
  }
  const { version, sanitised } = reading.value;
  const changed = await job.run(findChangedPaths(subject, newest, version));
  // Save nothing, even if the change is based on an older version: sending the same values twice is not a conflict.
  if (changed.length === 0) return { ...subject, sanitised };
  await job.run(refuseStale(subject, seen));
  const saved = await job.run(saveVersion(record, version, life.value, catalog, job.now));
  await job.note({
    action: note.action,
    siteId: catalog.site.id,
    subjectId: record.id,
    subjectName: version.name,
    details: { ...note.details, version: saved.newestVersion },
  });
  return { ...(await job.run(openSubject(catalog, saved))), sanitised };
}

/** The slug follows the name until the content is first published. After that, it changes only if somebody sends a different one. */
function keepLiveSlug({ status }: Subject['record'], input: VersionInput): VersionInput {
  return input.slug === null && status !== 'draft' ? { ...input, slug: undefined } : input;
}

/** Finds the faults that would prevent publishing the content with the given changes. Saves nothing. */
export function validateContent(
  desk: Desk,
  actor: Actor,
  siteId: string,
  contentId: string,
  input: VersionInput,
): Promise<PublishFindings> {
  return prepareAt(desk, actor, (prepared) =>
    desk.storage.read(findVersionFaults({ actor, now: desk.now(), prepared }, siteId, contentId, input)),
  );
}

function* findVersionFaults(
  saving: Saving,
  siteId: string,
  contentId: string,
  input: VersionInput,
): Procedure<PublishFindings> {
  const subject = yield* selectSubject(saving.actor, siteId, contentId);
  const { catalog, type, record, newest } = subject;
  const place = { catalog, type, language: record.language, id: record.id };
  const reading = yield* readVersion(saving, place, keepLiveSlug(record, input), newest);
  if (!reading.ok) return { ...NO_FINDINGS, faults: reading.problem };
  return yield* findPublishFaults(subject, reading.value.version, saving.prepared);
}

export interface Unsaved {
  readonly siteNo: number;
  readonly id: string;
  /** The typeset body that previews would use after a save; null if saving would change nothing. */
  readonly body: string | null;
}

/** Typesets the content as if the given changes were saved now. Invalid values are left out. Saves nothing. */
export function* typesetUnsaved(
  saving: Saving,
  siteId: string,
  contentId: string,
  input: VersionInput,
): Procedure<Unsaved> {
  const subject = yield* selectSubject(saving.actor, siteId, contentId);
  const { catalog, type, record, newest } = subject;
  const { id, language, siteNo } = record;
  const life = applyAction(record, { kind: 'save' }, saving.now);
  if (!life.ok) throw refuseAction(subject, life.problem);
  const reading = yield* readValidParts(saving, { catalog, type, language, id }, keepLiveSlug(record, input), newest);
  const changed = yield* findChangedPaths(subject, newest, reading.version);
  const body = changed.length === 0 ? null : typesetVersion(record, reading.version, catalog).typeset.body;
  return { siteNo, id, body };
}
