// How much is read of the service, for those who look after it.

import type { TrafficBody } from '@galley/wire';
import { z } from 'zod';
import { formatTimestamp } from '../../content/timestamp.ts';
import { defineRoute, type Route } from '../route.ts';

const trafficBody: z.ZodType<TrafficBody> = z
  .strictObject({
    data: z
      .array(
        z.strictObject({
          at: z.string().describe('When the minute began.'),
          answers: z.int().describe('Published responses of the delivery API.'),
          hits: z.int().describe('How many of them came from the cache.'),
        }),
      )
      .describe('Sixty minutes, the oldest first.'),
  })
  .meta({ id: 'Traffic' });

export const TRAFFIC_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'getTraffic',
    method: 'GET',
    path: '/traffic',
    who: 'member',
    tag: 'Account',
    summary: 'Read the traffic of the last hour',
    description:
      'Published answers of the content API, minute by minute, the oldest first: `hits` are those that were ready in the ' +
      'cache. The last minute is under way. It counts what all processes of this node have answered since it started, for the sites ' +
      'of your account, errors and previews left out; without a cache (`GALLEY_CACHE_MB=0`) it counts nothing.',
    status: 200,
    answer: trafficBody,
    run: async ({ actor, readTraffic }) => ({
      data: (await readTraffic(actor.accountNo)).map(({ startsAt, answers, hits }) => ({
        at: formatTimestamp(startsAt),
        answers,
        hits,
      })),
    }),
  }),
];
