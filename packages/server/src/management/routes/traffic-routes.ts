// Traffic statistics for the delivery API, for the people who run the service.

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
          answers: z.int().describe('The number of delivery API responses with published content.'),
          hits: z.int().describe('How many of these responses came from the cache.'),
        }),
      )
      .describe('Sixty minutes, oldest first.'),
  })
  .meta({ id: 'Traffic' });

export const TRAFFIC_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'getTraffic',
    method: 'GET',
    path: '/traffic',
    who: 'member',
    tag: 'Account',
    summary: 'Read the traffic for the last hour',
    description:
      'Returns the number of delivery API responses with published content per minute, oldest first. `hits` is how many ' +
      'of them came from the cache. The last minute is the current one. All responses for your account’s sites since ' +
      'this node started are counted, except errors and previews. Without a cache (`GALLEY_CACHE_MB=0`), nothing is ' +
      'counted.',
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
