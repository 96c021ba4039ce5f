import type { Site } from '../../content/catalog.ts';
import { forgetFailureReasons, forgetInAudit } from '../../storage/port.ts';
import type { Job } from '../desk.ts';
import { inPortions } from '../in-portions.ts';

/** Why schedules failed may quote what is deleted for good: a value of a field, the name of other content. */
export async function forgetFailures(job: Job, { no, id }: Pick<Site, 'no' | 'id'>): Promise<void> {
  await job.run(forgetFailureReasons(no));
  await inPortions(0, (after) => job.run(forgetInAudit(job.actor.accountNo, { kind: 'failure', siteId: id }, after)));
}
