import { countBacklinks, selectBacklinks } from '../../storage/port.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import type { Job } from '../desk.ts';
import type { Subject } from './find-content.ts';

const MOST_SHOWN = 100;

/** Published content that others link to is not taken away unawares: their links would lead nowhere. */
export async function refuseLinked(job: Job, { record }: Subject): Promise<void> {
  if (record.status !== 'published') return;
  const reach = { isPublishedOnly: true };
  const total = await job.run(countBacklinks(record.siteNo, record.id, reach));
  if (total === 0) return;
  const rows = await job.run(selectBacklinks(record.siteNo, record.id, { ...reach, limit: MOST_SHOWN }));
  const others = total === 1 ? 'One published content object links' : `${total} published content objects link`;
  throw new AuthoringRefusal(`${others} to ${record.id}; confirm that it shall go all the same.`, {
    reason: 'conflict',
    details: {
      total,
      linked_from: rows.map(({ id, name, type, language }) => ({ id, name, content_type: type, language })),
    },
  });
}
