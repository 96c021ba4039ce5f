// Out of the archive: the slug of archived content is free for others, so where one of them has it, the content comes back
// under another one. That is a version of its own, for slugs are part of versions.

import type { Fault } from '../../content/fault.ts';
import { applyAction, type Lifecycle } from '../../content/lifecycle.ts';
import { type StoredContentRecord, saveVersion } from '../../storage/port.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import type { Job } from '../desk.ts';
import { changeLife, refuseAction } from './change-life.ts';
import { openSubject, type Subject } from './find-content.ts';
import { findSlugFault } from './free-slug.ts';

const ACTION = 'content.restore';

/** @param slug undefined for the one that it had */
export async function restoreArchived(job: Job, subject: Subject, slug: string | undefined): Promise<Subject> {
  const { catalog, type, record } = subject;
  const restored = applyAction(record, { kind: 'restore' }, job.now);
  if (!restored.ok) throw refuseAction(subject, restored.problem);
  const place = { catalog, type, language: record.language, id: record.id };
  const fault = await job.run(findSlugFault(place, slug ?? record.slug));
  if (fault !== undefined) throw slug === undefined ? refuseOldSlug(record, fault) : refuseFaults([fault]);
  if (slug !== undefined && slug !== record.slug) return restoreAs(job, subject, restored.value, slug);
  return changeLife(job, subject, [{ kind: 'restore' }], { action: ACTION });
}

function refuseOldSlug({ id, slug }: StoredContentRecord, { message }: Fault): AuthoringRefusal {
  return new AuthoringRefusal(
    `Content ${id} cannot be restored as it was: its slug ${slug} ${message}. Give another slug to restore it with.`,
    { reason: 'conflict', details: { slug } },
  );
}

/** One write for both: the old slug must not come back even for a moment. */
async function restoreAs(job: Job, subject: Subject, restored: Lifecycle, slug: string): Promise<Subject> {
  const { catalog, record, newest } = subject;
  const saved = applyAction(restored, { kind: 'save' }, job.now);
  if (!saved.ok) throw refuseAction(subject, saved.problem);
  const { id, name } = job.actor;
  const version = { ...newest, slug, savedAt: job.now, savedBy: { id, name } };
  const moved = await job.run(saveVersion(record, version, saved.value, catalog, job.now));
  const details = { slug, version: moved.newestVersion };
  await job.note({ action: ACTION, siteId: catalog.site.id, subjectId: record.id, subjectName: record.name, details });
  return job.run(openSubject(catalog, moved));
}
