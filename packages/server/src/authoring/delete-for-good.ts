// Rules that all permanent deletions share: they require confirmation, run in batches, and leave no trace of the deleted data in the
// stored reasons for failed schedules or in the webhook call log.

import { setImmediate as takeTurn } from 'node:timers/promises';
import type { Site } from '../content/catalog.ts';
import { forgetInAudit } from '../storage/accounts/audit-entries.ts';
import { forgetFailureReasons } from '../storage/contents/schedules.ts';
import { noteErasure } from '../storage/publication/forget-changes.ts';
import { FIRST_CALL, forgetCallBodies, forgetReasonsInCalls } from '../storage/webhooks/webhook-calls.ts';
import { refuseFaults } from './authoring-refusal.ts';
import type { Job } from './desk.ts';

/** A permanent deletion must name the object twice, to prevent mistakes. */
export function refuseUnconfirmed(id: string, confirm: string | undefined): void {
  if (confirm === id) return;
  throw refuseFaults([{ path: 'confirm', message: `must be ${id} to delete it for good` }]);
}

/**
 * Runs a long operation in batches, to let other work run in between.
 * @param portion runs the batch that starts at the given place, and returns the place where the next one starts, or null at the end
 */
export async function inPortions<Place>(first: Place, portion: (place: Place) => Promise<Place | null>): Promise<void> {
  let place = await portion(first);
  while (place !== null) {
    await takeTurn();
    place = await portion(place);
  }
}

/**
 * The stored reason for a failed schedule may quote deleted data, such as a field value or the name of other content.
 * @param quoted the id that appears in the affected reasons; without one, every reason is deleted
 */
export async function forgetFailures(
  job: Job,
  { no, id: siteId }: Pick<Site, 'no' | 'id'>,
  quoted = '',
): Promise<void> {
  const pattern = `%${quoted}%`;
  await job.run(forgetFailureReasons(no, pattern));
  await job.run(forgetReasonsInCalls(no, pattern));
  await forgetBodies(job, no);
  await inPortions(0, (after) =>
    job.run(forgetInAudit(job.actor.accountNo, { kind: 'failure', siteId, pattern }, after)),
  );
}

/** The logged webhook calls of a site may contain deleted data. So may the calls that are running. */
export async function forgetBodies(job: Job, siteNo: number): Promise<void> {
  await inPortions(FIRST_CALL, (after) => job.run(forgetCallBodies(siteNo, after)));
  await job.run(noteErasure(siteNo, job.now));
}
