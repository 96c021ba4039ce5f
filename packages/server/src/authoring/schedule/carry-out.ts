// What a schedule does when its time has come: the same as a person would do then, except that nobody is asked about
// links, and that content is published as of the time that it was scheduled for, however late the service is.

import { AuthoringRefusal } from '../authoring-refusal.ts';
import { changeLife } from '../contents/change-life.ts';
import type { Subject } from '../contents/find-content.ts';
import { findSlugFault } from '../contents/free-slug.ts';
import { refuseFaultyPublish } from '../contents/publish-faults.ts';
import type { Job } from '../desk.ts';

type Details = Readonly<Record<string, unknown>>;

export async function publishAsScheduled(job: Job, subject: Subject, details: Details): Promise<void> {
  const { catalog, type, record } = subject;
  const { id, language, slug, status, newestVersion: version } = record;
  if (status !== 'archived') {
    const fault = await job.run(findSlugFault({ catalog, type, language, id }, slug));
    if (fault !== undefined) {
      throw new AuthoringRefusal(`Its slug ${slug} ${fault.message}.`, { reason: 'conflict', faults: [fault] });
    }
    await job.run(refuseFaultyPublish(subject, job.prepared));
  }
  const note = { action: 'content.publish', details: { version, ...details } };
  await changeLife(job, subject, [{ kind: 'fire_publish' }], note);
}

export async function unpublishAsScheduled(job: Job, subject: Subject, details: Details): Promise<void> {
  // Of content that is not published, only the schedule goes: the log must not say that readers lost something.
  const note =
    subject.record.status === 'published'
      ? { action: 'content.unpublish', details }
      : { action: 'content.cancel_schedule', details: { which: 'unpublish', ...details } };
  await changeLife(job, subject, [{ kind: 'fire_unpublish' }], note);
}
