// What all deletions for good have in common: they are confirmed, run in portions, and leave nothing behind that quotes what is gone.

import { setImmediate as takeTurn } from 'node:timers/promises';
import type { Site } from '../content/catalog.ts';
import { forgetFailureReasons, forgetInAudit } from '../storage/port.ts';
import { refuseFaults } from './authoring-refusal.ts';
import type { Job } from './desk.ts';

/** Whoever deletes something for good names it twice, so that no slip deletes anything. */
export function refuseUnconfirmed(id: string, confirm: string | undefined): void {
  if (confirm === id) return;
  throw refuseFaults([{ path: 'confirm', message: `must be ${id} to delete it for good` }]);
}

/**
 * Runs a long piece of work portion by portion; between two of them others are served.
 * @param portion gets the place that it begins at, and gives the place of the next one, or null at the end
 */
export async function inPortions<Place>(first: Place, portion: (place: Place) => Promise<Place | null>): Promise<void> {
  let place = await portion(first);
  while (place !== null) {
    await takeTurn();
    place = await portion(place);
  }
}

/**
 * Why schedules failed may quote what is deleted for good: a value of a field, the name of other content.
 * @param quoted the id that stands beside what was deleted; without one, every reason is forgotten
 */
export async function forgetFailures(
  job: Job,
  { no, id: siteId }: Pick<Site, 'no' | 'id'>,
  quoted = '',
): Promise<void> {
  const pattern = `%${quoted}%`;
  await job.run(forgetFailureReasons(no, pattern));
  await inPortions(0, (after) =>
    job.run(forgetInAudit(job.actor.accountNo, { kind: 'failure', siteId, pattern }, after)),
  );
}
