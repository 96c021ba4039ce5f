import { countBacklinks, selectBacklinks } from '../../storage/port.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import type { Job } from '../desk.ts';
import type { Subject } from './find-content.ts';

const MOST_SHOWN = 100;
const MOST_COUNTED = 1000;

/** Published content that others link to is not taken away unawares: their links would lead nowhere. */
export async function refuseLinked(job: Job, { record }: Subject): Promise<void> {
  if (record.status !== 'published') return;
  const reach = { isPublishedOnly: true };
  const counted = await job.run(countBacklinks(record.siteNo, record.id, reach, MOST_COUNTED + 1));
  if (counted === 0) return;
  const hasMore = counted > MOST_COUNTED;
  const total = hasMore ? MOST_COUNTED : counted;
  const rows = await job.run(selectBacklinks(record.siteNo, record.id, { ...reach, limit: MOST_SHOWN }));
  throw new AuthoringRefusal(
    `${describeLinks(total, hasMore)} to ${record.id}; confirm that it shall go all the same.`,
    {
      reason: 'conflict',
      details: {
        total,
        has_more: hasMore,
        linked_from: rows.map(({ id, name, type, language }) => ({ id, name, content_type: type, language })),
      },
    },
  );
}

function describeLinks(total: number, hasMore: boolean): string {
  if (hasMore) return `More than ${total.toLocaleString('en')} published content objects link`;
  return total === 1
    ? 'One published content object links'
    : `${total.toLocaleString('en')} published content objects link`;
}
