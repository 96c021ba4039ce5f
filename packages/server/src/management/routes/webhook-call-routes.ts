// The calls to a webhook: the pending calls, and a log of the most recent finished calls.

import type { WebhookCallBody, WebhookCallDetailsBody } from '@galley/wire';
import { z } from 'zod';
import type { Actor } from '../../authoring/actor.ts';
import type { Desk } from '../../authoring/desk.ts';
import { findCall, findWebhook, sendCallAgain, sendTestCall, type WebhookAddress } from '../../authoring/webhooks.ts';
import { oneOfMember, strictMembers } from '../../content/schema-members.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import { EVENT_KINDS, listContents, TEST_EVENT } from '../../content/webhook-event.ts';
import type { Procedure } from '../../storage/statement.ts';
import {
  type CallRecord,
  type CallSelection,
  selectCalls,
  type WholeCall,
} from '../../storage/webhooks/webhook-calls.ts';
import { buildPage, pageParameters, pageSchema } from '../parameters.ts';
import { defineRoute, type Route } from '../route.ts';
import { readAddress } from './webhook-routes.ts';

const STATES = ['waiting', 'delivered', 'failed'] as const;

const callShape = {
  id: z.string().describe('The call’s `webhook-id` header.'),
  type: z.enum([...EVENT_KINDS, TEST_EVENT, 'batch']).describe('`batch` if the call has several events.'),
  contents: z.array(z.string()).describe('The ids of the content that the events are about.'),
  content_name: z
    .string()
    .nullable()
    .describe('The current name of the first content object; null if there is none, or if it no longer exists.'),
  state: z.enum(STATES),
  attempts: z.int(),
  next_at: z.string().nullable().describe('When Galley will next try to send the call; null if the call has ended.'),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  attempt_at: z.string().nullable().describe('When the last attempt began; null before the first.'),
  duration_ms: z.int().nullable(),
  status: z.int().nullable().describe('The status of the last response; null if there was none.'),
  error: z.string().nullable().describe('Why the last attempt failed.'),
};

const callBody: z.ZodType<WebhookCallBody> = z.strictObject(callShape).meta({ id: 'WebhookCall' });

const exchangeBody = z.strictObject({
  headers: z.record(z.string(), z.string()).describe('Secrets and the values of custom headers are masked.'),
  body: z
    .string()
    .nullable()
    .describe('The start of the body; null if some of its content has since been permanently deleted.'),
});

const callDetailsBody: z.ZodType<WebhookCallDetailsBody> = z
  .strictObject({
    ...callShape,
    events: z
      .array(
        z.strictObject({
          type: z.enum([...EVENT_KINDS, TEST_EVENT]),
          timestamp: z.string(),
          data: z.record(z.string(), z.unknown()),
          content_name: z.string().nullable().describe('The current name of the content; null if it no longer exists.'),
        }),
      )
      .describe('The same as in the body, but with the name of the content instead of the content itself.'),
    request: exchangeBody.nullable().describe('The request from the last attempt, with up to 16 KB of its body.'),
    response: exchangeBody.nullable().describe('The response to the last attempt, with up to 2 KB of its body.'),
  })
  .meta({ id: 'WebhookCallDetails' });

export function renderCall(call: CallRecord): WebhookCallBody {
  return {
    id: call.id,
    type: call.type,
    contents: listContents(call.events),
    content_name: call.contentName,
    state: call.state,
    attempts: call.attempts,
    next_at: formatOptionalTimestamp(call.nextAt),
    created_at: formatTimestamp(call.createdAt),
    ended_at: formatOptionalTimestamp(call.endedAt),
    attempt_at: formatOptionalTimestamp(call.attemptAt),
    duration_ms: call.durationMs,
    status: call.status,
    error: call.error,
  };
}

export function renderCallDetails(call: WholeCall): WebhookCallDetailsBody {
  const { contentNames, requestHeaders, requestBody, responseHeaders, responseBody } = call;
  return {
    ...renderCall(call),
    events: call.events.map(({ type, timestamp, data }) => {
      return { type, timestamp, data, content_name: contentNames.get(data.id ?? '') ?? null };
    }),
    request: requestHeaders === null ? null : { headers: requestHeaders, body: requestBody },
    response: responseHeaders === null ? null : { headers: responseHeaders, body: responseBody },
  };
}

function* selectOwnCalls(
  actor: Actor,
  address: WebhookAddress,
  selection: CallSelection,
): Procedure<readonly CallRecord[]> {
  const webhook = yield* findWebhook(actor, address);
  return yield* selectCalls(webhook.no, selection);
}

async function readCall(desk: Desk, actor: Actor, address: WebhookAddress, callId: string): Promise<WebhookCallBody> {
  return renderCall(await desk.storage.read(findCall(actor, { ...address, callId })));
}

const tag = 'Webhooks';

export const WEBHOOK_CALL_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'testWebhook',
    method: 'POST',
    path: '/sites/{site}/webhooks/{webhook}/test',
    who: 'owner',
    tag,
    summary: 'Send a test call to a webhook',
    description: 'Galley sends the `webhook.test` event within a second or so. The webhook must be switched on.',
    status: 201,
    answer: callBody,
    refusals: [404, 409],
    run: async ({ desk, actor, path }) => {
      const address = readAddress(path);
      return readCall(desk, actor, address, await sendTestCall(desk, actor, address));
    },
  }),
  defineRoute({
    operationId: 'listWebhookCalls',
    method: 'GET',
    path: '/sites/{site}/webhooks/{webhook}/calls',
    who: 'owner',
    tag,
    summary: 'List the calls to a webhook, newest first',
    description: 'The log contains all pending calls and the last 500 calls that ended.',
    query: strictMembers('the query', { ...pageParameters, state: oneOfMember(STATES).optional() }),
    status: 200,
    answer: pageSchema(callBody, 'WebhookCallPage'),
    refusals: [404, 422],
    run: async ({ desk, actor, path, query: { limit, cursor, state } }) => {
      const selection = { state, before: cursor?.no ?? null, limit: limit + 1 };
      const rows = await desk.storage.read(selectOwnCalls(actor, readAddress(path), selection));
      return buildPage(rows, limit, renderCall, ({ no }) => ({ key: '', no }));
    },
  }),
  defineRoute({
    operationId: 'getWebhookCall',
    method: 'GET',
    path: '/sites/{site}/webhooks/{webhook}/calls/{call}',
    who: 'owner',
    tag,
    summary: 'Read a call with its last request and response',
    status: 200,
    answer: callDetailsBody,
    refusals: [404],
    run: async ({ desk, actor, path }) =>
      renderCallDetails(await desk.storage.read(findCall(actor, { ...readAddress(path), callId: path.call ?? '' }))),
  }),
  defineRoute({
    operationId: 'sendWebhookCallAgain',
    method: 'POST',
    path: '/sites/{site}/webhooks/{webhook}/calls/{call}/send-again',
    who: 'owner',
    tag,
    summary: 'Send the events of a call again',
    description:
      'Galley sends them as a new call and returns that call in the response. The original call must have ended, and the webhook must be switched on.',
    status: 201,
    answer: callBody,
    refusals: [404, 409],
    run: async ({ desk, actor, path }) => {
      const address = readAddress(path);
      const callId = await sendCallAgain(desk, actor, { ...address, callId: path.call ?? '' });
      return readCall(desk, actor, address, callId);
    },
  }),
];
