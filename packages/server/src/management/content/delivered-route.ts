// Content as front ends read it, for editors, who need no API key to look at their own work.

import type { DeliveredContentBody } from '@galley/wire';
import { z } from 'zod';
import type { Actor } from '../../authoring/actor.ts';
import { selectOwnRecord } from '../../authoring/contents/find-content.ts';
import type { Procedure } from '../../storage/port.ts';
import { type DeliverContent, defineRoute, LargeCall } from '../route.ts';

const objectMember = z.record(z.string(), z.unknown()).nullable();

const deliveredContentBody: z.ZodType<DeliveredContentBody> = z
  .strictObject({ published: objectMember, preview: objectMember })
  .meta({ id: 'DeliveredContent' });

function* selectDelivered(
  actor: Actor,
  { site = '', content = '' }: Readonly<Record<string, string>>,
  deliver: DeliverContent,
): Procedure<DeliveredContentBody> {
  const { siteNo, id } = yield* selectOwnRecord(actor, site, content);
  const delivered = yield* deliver(siteNo, id);
  if (delivered === undefined) throw new LargeCall();
  return delivered;
}

export const DELIVERED_ROUTE = defineRoute({
  method: 'GET',
  path: '/sites/{site}/content/{content}/delivered',
  who: 'member',
  tag: 'Content',
  summary: 'Read content as front ends read it',
  description:
    'What the delivery API answers to readers (`published`) and in previews (`preview`), in the shape of ' +
    '`GET /api/v1/content/{id}`. Null where it answers that there is no such content.',
  status: 200,
  answer: deliveredContentBody,
  refusals: [404],
  run: ({ desk, actor, path, deliver }) => desk.storage.read(selectDelivered(actor, path, deliver)),
});
