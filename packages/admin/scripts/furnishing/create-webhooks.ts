// Creates webhooks in all states, with the logs that their calls would have produced.

import type { Desk } from '../../../server/src/authoring/desk.ts';
import { createWebhook, DEFAULT_SETTINGS, findWebhook } from '../../../server/src/authoring/webhooks.ts';
import { buildId } from '../../../server/src/content/ids.ts';
import type { EventKind, WebhookEvent } from '../../../server/src/content/webhook-event.ts';
import type { Procedure } from '../../../server/src/storage/statement.ts';
import { noteFailure, recordAttempt } from '../../../server/src/storage/webhooks/outbox.ts';
import { insertCalls, selectCall } from '../../../server/src/storage/webhooks/webhook-calls.ts';
import {
  switchWebhookOff,
  type WebhookSettings,
  type WebhookSummary,
} from '../../../server/src/storage/webhooks/webhooks.ts';
import type { Clock } from './clock.ts';
import { buildActor, ELSPETH } from './people.ts';

const SITE = 's_demo';
const HOST = 'https://hooks.magazine.example';

interface LoggedCall {
  readonly type: EventKind;
  readonly contents: readonly string[];
  readonly at: number;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly nextAt?: number;
}

export async function createWebhooks(desk: Desk, clock: Clock): Promise<void> {
  const actor = buildActor(ELSPETH);
  clock.turnTo(12, '13:20');
  const create = (siteId: string, settings: Partial<WebhookSettings> & Pick<WebhookSettings, 'name' | 'url'>) =>
    createWebhook(desk, actor, siteId, { ...DEFAULT_SETTINGS, ...settings });
  const website = await create(SITE, { name: 'Rebuild the website', url: `${HOST}/rebuild`, isBatched: true });
  const index = await create(SITE, {
    name: 'Search index',
    url: 'https://search.magazine.example/galley',
    headers: { authorization: 'Bearer a-long-secret' },
    types: ['article'],
  });
  await create(SITE, { name: 'Print edition (old)', url: 'https://print.magazine.example/inbox', isOn: false });
  const fair = await create('s_fair', { name: 'Fair calendar', url: 'https://calendar.fair.example/galley' });

  await log(desk, SITE, website.id, [
    { type: 'content.published', contents: ['c_braille'], at: clock.find(1, '10:06'), state: 'delivered', attempts: 1 },
  ]);
  await log(desk, SITE, index.id, [
    { type: 'content.published', contents: ['c_braille'], at: clock.find(1, '10:06'), state: 'failed', attempts: 8 },
    {
      type: 'content.updated',
      contents: ['c_lowercase_g'],
      at: clock.find(1, '15:32'),
      state: 'delivered',
      attempts: 2,
    },
    {
      type: 'content.moved',
      contents: ['c_paper_weight'],
      at: clock.find(0, '08:20'),
      state: 'delivered',
      attempts: 1,
    },
    {
      type: 'content.updated',
      contents: ['c_folding', 'c_bridge_posters', 'c_paper_weight'],
      at: clock.find(0, '08:26'),
      state: 'waiting',
      attempts: 4,
      nextAt: clock.find(0, '09:52'),
    },
  ]);
  await desk.storage.transaction(async ({ run }) => {
    const failing = await run(findWebhook(actor, { siteId: SITE, webhookId: index.id }));
    await run(noteFailure(failing.no, clock.find(0, '08:26')));
    const stopped = await run(findWebhook(actor, { siteId: 's_fair', webhookId: fair.id }));
    await run(switchWebhookOff(stopped.no, 'gone', clock.find(2, '17:05')));
  });
}

async function log(desk: Desk, siteId: string, webhookId: string, calls: readonly LoggedCall[]): Promise<void> {
  await desk.storage.transaction(async ({ run }) => {
    const webhook = await run(findWebhook(buildActor(ELSPETH), { siteId, webhookId }));
    for (const call of calls) await run(logCall(webhook, siteId, buildId('webhookCall', desk.newUuid()), call));
  });
}

function* logCall(webhook: WebhookSummary, siteId: string, id: string, call: LoggedCall): Procedure<void> {
  const { type, contents, at, state, attempts, nextAt = null } = call;
  const events: readonly WebhookEvent[] = contents.map((contentId) => ({
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      site: siteId,
      id: contentId,
      content_type: 'article',
      language: 'en',
      uri: `articles/${contentId.slice(2)}`,
    },
  }));
  const callType = contents.length === 1 ? type : 'batch';
  const { no: webhookNo, siteNo } = webhook;
  yield* insertCalls([{ siteNo, webhookNo, id, type: callType, events, nextAt: at, createdAt: at }]);
  const stored = yield* selectCall(webhookNo, id);
  const isDelivered = state === 'delivered';
  for (let attempt = 0; attempt < attempts; attempt++) {
    const isLast = attempt === attempts - 1;
    yield* recordAttempt({
      callNo: stored?.no ?? 0,
      attempts: attempt,
      state: isLast ? state : 'waiting',
      nextAt: isLast ? nextAt : at,
      endedAt: isLast && state !== 'waiting' ? at : null,
      attemptAt: at,
      durationMs: isDelivered ? 84 : 212,
      status: isDelivered ? 204 : 503,
      error: isDelivered ? null : 'The receiver responded with status 503.',
      requestHeaders: {
        'content-type': 'application/json',
        'user-agent': 'Galley',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at / 1000)),
        'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        authorization: '•••',
      },
      requestBody: JSON.stringify(events[0]),
      responseHeaders: isDelivered ? { server: 'nginx' } : { server: 'nginx', 'retry-after': '120' },
      responseBody: isDelivered ? '' : 'The index is being rebuilt. Try again later.',
    });
  }
}
