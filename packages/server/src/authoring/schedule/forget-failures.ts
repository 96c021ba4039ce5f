import type { Site } from '../../content/catalog.ts';
import { forgetFailureReasons, forgetInAudit } from '../../storage/port.ts';
import type { Job } from '../desk.ts';
import { inPortions } from '../in-portions.ts';

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
