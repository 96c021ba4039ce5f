// Changes the status of content according to the rules in content/lifecycle.ts. Readers see the result immediately.

import type { Fault, FaultCode } from '../../content/fault.ts';
import {
  applyAction,
  findState,
  LIFECYCLE_REFUSALS,
  type Lifecycle,
  type LifecycleAction,
  type LifecycleRefusal,
} from '../../content/lifecycle.ts';
import { selectPublishedUri } from '../../storage/contents/published-uris.ts';
import { findUri, isSeenAlike, moveContent, refillContent } from '../../storage/contents/write-content.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { AuditNote } from '../audit-note.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import type { Job } from '../desk.ts';
import type { Subject } from './find-content.ts';

/** For each action, the request property that holds its time. */
const TIME_MEMBERS: Partial<Record<LifecycleAction['kind'], string>> = {
  publish: 'published_at',
  schedule_publish: 'publish_at',
  schedule_unpublish: 'unpublish_at',
};

/** The code of the fault to report for each refusal that is due to an invalid time. */
const TIME_FAULTS: Partial<Record<LifecycleRefusal, FaultCode>> = {
  published_in_future: 'in_future',
  scheduled_in_past: 'in_past',
  unpublish_before_publish: 'before_publish',
};

/** Applies all of the actions or none. Writes nothing if they change nothing. */
export async function changeStatus(
  job: Job,
  subject: Subject,
  actions: readonly LifecycleAction[],
  note: Pick<AuditNote, 'action' | 'details'>,
): Promise<Subject> {
  const { catalog, record } = subject;
  let life: Lifecycle = record;
  const faults: Fault[] = [];
  for (const action of actions) {
    const outcome = applyAction(life, action, job.now);
    if (outcome.ok) {
      life = outcome.value;
      continue;
    }
    const path = TIME_MEMBERS[action.kind];
    // If a time is invalid, faults that depend on it are not reported.
    if (faults.length > 0 && outcome.problem !== 'scheduled_in_past') continue;
    const code = TIME_FAULTS[outcome.problem];
    if (path === undefined || code === undefined) throw refuseAction(subject, outcome.problem);
    faults.push({ path, message: LIFECYCLE_REFUSALS[outcome.problem], code });
  }
  if (faults.length > 0) throw refuseFaults(faults);
  const isPublish = actions.some(({ kind }) => kind === 'publish' || kind === 'fire_publish');
  const isElsewhere = isPublish && (await job.run(hasOtherUri(subject)));
  if (isSame(record, life) && !isElsewhere) return subject;
  const moved = await job.run(moveContent(record, life, catalog, job.now));
  if (isElsewhere && isSeenAlike(record, life)) await job.run(refillContent(moved, catalog, job.now));
  await job.note({ ...note, siteId: catalog.site.id, subjectId: record.id, subjectName: record.name });
  return { ...subject, record: moved };
}

/** Whether publishing would change the uri, because the type's uri pattern or the default language has changed. */
function* hasOtherUri({ catalog, record, newest }: Subject): Procedure<boolean> {
  const uri = yield* selectPublishedUri(record.no);
  return uri !== null && uri !== findUri(record, newest, catalog);
}

function isSame(before: Lifecycle, after: Lifecycle): boolean {
  return (
    isSeenAlike(before, after) &&
    before.status === after.status &&
    before.publishAt === after.publishAt &&
    before.unpublishAt === after.unpublishAt &&
    before.failedSchedule === after.failedSchedule
  );
}

export function refuseAction({ record }: Subject, reason: LifecycleRefusal): AuthoringRefusal {
  return new AuthoringRefusal(`Content ${record.id} ${LIFECYCLE_REFUSALS[reason]}.`, {
    reason: 'conflict',
    code: 'wrong_state',
    details: { reason, state: findState(record) },
  });
}
