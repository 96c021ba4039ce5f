// A site's webhooks. No response contains the value of a header; a secret is returned only when it is created.

import type { NewWebhookBody, WebhookBody, WebhookListBody } from '@galley/wire';
import { z } from 'zod';
import type { Actor } from '../../authoring/actor.ts';
import { refuseFaults } from '../../authoring/authoring-refusal.ts';
import type { Desk } from '../../authoring/desk.ts';
import {
  type CreatedWebhook,
  createWebhook,
  DEFAULT_SETTINGS,
  deleteWebhook,
  findWebhook,
  refuseCarriedHeaders,
  rotateWebhookSecret,
  selectOwnWebhooks,
  updateWebhook,
  type WebhookAddress,
} from '../../authoring/webhooks.ts';
import { type Fault, joinMember } from '../../content/fault.ts';
import {
  addFoundFaults,
  handleMember,
  nameMember,
  oneOfMember,
  strictMembers,
  switchMember,
  textMember,
} from '../../content/schema-members.ts';
import { languageMember } from '../../content/site-definition.ts';
import { isJsonObject } from '../../content/strict-json.ts';
import { formatOptionalTimestamp, formatTimestamp } from '../../content/timestamp.ts';
import { EVENT_KINDS } from '../../content/webhook-event.ts';
import {
  findHeaderNameFault,
  HEADER_VALUE_RULE,
  isHeaderValue,
  isWebhookUrl,
  MOST_WEBHOOKS,
  WEBHOOK_URL_RULE,
} from '../../content/webhook-rules.ts';
import type { WebhookSettings, WebhookSummary } from '../../storage/webhooks/webhooks.ts';
import { defineRoute, type Route } from '../route.ts';

const PAYLOADS = ['light', 'full'] as const;
const MOST_NAMED = 1000;

const webhookShape = {
  id: z.string(),
  name: z.string(),
  url: z.string(),
  kinds: z.array(z.enum(EVENT_KINDS)).describe('The events that the webhook receives.'),
  content_types: z.array(z.string()).nullable().describe('Handles; null for all types.'),
  languages: z.array(z.string()).nullable().describe('Null for all languages.'),
  header_names: z
    .array(z.string())
    .describe('The names of the custom headers, in lower case. Their values are never returned.'),
  payload: z
    .enum(PAYLOADS)
    .describe('`light`: ids and URIs. `full`: also the content, as the delivery API returns it.'),
  is_batched: z
    .boolean()
    .describe('Whether changes within 2 seconds of each other are combined into one call with at most 100 events.'),
  is_on: z.boolean(),
  off_reason: z
    .enum(['gone', 'failing'])
    .nullable()
    .describe(
      'Why Galley switched it off. `gone`: the receiver responded with 410. `failing`: calls failed for 5 days.',
    ),
  off_at: z.string().nullable(),
  failing_since: z.string().nullable().describe('When the latest run of failed calls began; null after a success.'),
  former_secret_until: z
    .string()
    .nullable()
    .describe('Until this time, calls are also signed with the previous secret.'),
  last_call_at: z.string().nullable(),
  waiting_calls: z.int().describe('The number of calls that have not been delivered yet.'),
  failed_calls: z
    .int()
    .describe(
      'The number of failed calls in the log, without test calls, and without calls about content for which a later call succeeded. Galley ' +
        'is no longer trying to send them.',
    ),
  last_failed_at: z.string().nullable().describe('When the last of the calls counted in `failed_calls` failed.'),
  created_at: z.string(),
  changed_at: z.string(),
};

const webhookBody: z.ZodType<WebhookBody> = z.strictObject(webhookShape).meta({ id: 'Webhook' });

const newWebhookAnswer: z.ZodType<NewWebhookBody> = z
  .strictObject({ ...webhookShape, secret: z.string().describe('Starts with `whsec_`. It is never shown again.') })
  .meta({ id: 'NewWebhook' });

const webhookListBody: z.ZodType<WebhookListBody> = z
  .strictObject({ data: z.array(webhookBody) })
  .meta({ id: 'WebhookList' });

export function renderWebhook(webhook: WebhookSummary, now: number): WebhookBody {
  const { formerUntil } = webhook;
  return {
    id: webhook.id,
    name: webhook.name,
    url: webhook.url,
    kinds: webhook.kinds,
    content_types: webhook.types,
    languages: webhook.languages,
    header_names: Object.keys(webhook.headers),
    payload: webhook.payload,
    is_batched: webhook.isBatched,
    is_on: webhook.isOn,
    off_reason: webhook.offReason,
    off_at: formatOptionalTimestamp(webhook.offAt),
    failing_since: formatOptionalTimestamp(webhook.failingSince),
    former_secret_until: formatOptionalTimestamp(formerUntil !== null && formerUntil > now ? formerUntil : null),
    last_call_at: formatOptionalTimestamp(webhook.lastCallAt),
    waiting_calls: webhook.waitingCalls,
    failed_calls: webhook.failedCalls,
    last_failed_at: formatOptionalTimestamp(webhook.lastFailedAt),
    created_at: formatTimestamp(webhook.createdAt),
    changed_at: formatTimestamp(webhook.changedAt),
  };
}

const KINDS_RULE = `must be an array of one or more of ${EVENT_KINDS.join(', ')}`;

function namesMember<Member extends z.ZodType<string>>(member: Member, noun: string) {
  const error = `must be null or an array of 1 to ${MOST_NAMED} ${noun}`;
  return z
    .array(member, { error })
    .min(1, { error })
    .max(MOST_NAMED, { error })
    .transform((names) => [...new Set(names)])
    .nullable()
    .optional();
}

type GivenHeaders = Readonly<Record<string, string | null>>;

/** The error messages do not quote the given value, which may be a secret. */
const headersMember = z
  .unknown()
  .transform((given, context): GivenHeaders => {
    if (!isJsonObject(given)) {
      addFoundFaults(context, [{ path: '', message: 'must be an object of names and values' }]);
      return z.NEVER;
    }
    const headers = new Map<string, string | null>();
    for (const [name, value] of Object.entries(given)) {
      if (value === null || isHeaderValue(value)) headers.set(name, value);
      else addFoundFaults(context, [{ path: name, message: HEADER_VALUE_RULE }]);
    }
    return Object.fromEntries(headers);
  })
  .meta({ type: 'object', additionalProperties: { type: ['string', 'null'] } });

const changeable = {
  kinds: z
    .array(oneOfMember(EVENT_KINDS), { error: KINDS_RULE })
    .min(1, { error: KINDS_RULE })
    .max(MOST_NAMED, { error: KINDS_RULE })
    .transform((kinds) => [...new Set(kinds)])
    .optional(),
  content_types: namesMember(handleMember, 'handles of content types'),
  languages: namesMember(languageMember, 'language tags'),
  headers: headersMember.optional(),
  payload: oneOfMember(PAYLOADS).optional(),
  is_batched: switchMember.optional(),
  is_on: switchMember.optional(),
};

const urlMember = textMember(WEBHOOK_URL_RULE, isWebhookUrl, 'url_invalid');

const newWebhookBody = strictMembers('a webhook', { name: nameMember, url: urlMember, ...changeable });
const webhookChangeBody = strictMembers('a webhook change', {
  name: nameMember.optional(),
  url: urlMember.optional(),
  ...changeable,
});

/** Omitted properties stay as they are. */
function mergeSettings(known: WebhookSettings, body: z.output<typeof webhookChangeBody>): WebhookSettings {
  const keepsHeaders = body.headers === undefined || Object.values(body.headers).includes(null);
  if (keepsHeaders) refuseCarriedHeaders(known, body.url);
  return {
    name: body.name ?? known.name,
    url: body.url ?? known.url,
    kinds: body.kinds ?? known.kinds,
    types: body.content_types === undefined ? known.types : body.content_types,
    languages: body.languages === undefined ? known.languages : body.languages,
    headers: body.headers === undefined ? known.headers : mergeHeaders(known.headers, body.headers),
    payload: body.payload ?? known.payload,
    isBatched: body.is_batched ?? known.isBatched,
    isOn: body.is_on ?? known.isOn,
  };
}

type Headers = WebhookSettings['headers'];

/** Replaces all headers. A null keeps the stored value. */
function mergeHeaders(known: Headers, given: GivenHeaders): Headers {
  const headers = new Map<string, string>();
  const faults: Fault[] = [];
  for (const [givenName, value] of Object.entries(given)) {
    const name = givenName.toLowerCase();
    const next = value ?? (Object.hasOwn(known, name) ? known[name] : undefined);
    const message = findHeaderFault(name, next, headers);
    if (message !== undefined) faults.push({ path: joinMember('headers', givenName), message });
    else headers.set(name, next ?? '');
  }
  if (faults.length > 0) throw refuseFaults(faults);
  return Object.fromEntries(headers);
}

function findHeaderFault(
  name: string,
  value: string | undefined,
  others: ReadonlyMap<string, string>,
): string | undefined {
  if (others.has(name)) return 'is given twice, in upper and lower case';
  return findHeaderNameFault(name) ?? (value === undefined ? 'needs a value, because none is stored' : undefined);
}

const tag = 'Webhooks';

async function readWebhook(desk: Desk, actor: Actor, address: WebhookAddress): Promise<WebhookBody> {
  return renderWebhook(await desk.storage.read(findWebhook(actor, address)), desk.now());
}

async function addSecret(
  desk: Desk,
  actor: Actor,
  siteId: string,
  { id: webhookId, secret }: CreatedWebhook,
): Promise<NewWebhookBody> {
  return { ...(await readWebhook(desk, actor, { siteId, webhookId })), secret };
}

/** Sending calls does not change the ETag. */
function readWebhookState(webhook: WebhookBody): object {
  const { last_call_at: _1, waiting_calls: _2, failed_calls: _3, last_failed_at: _4, ...lasting } = webhook;
  const { failing_since: _5, former_secret_until: _6, ...state } = lasting;
  return state;
}

export function readAddress(path: Readonly<Record<string, string>>): WebhookAddress {
  return { siteId: path.site ?? '', webhookId: path.webhook ?? '' };
}

export const WEBHOOK_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listWebhooks',
    method: 'GET',
    path: '/sites/{site}/webhooks',
    who: 'owner',
    tag,
    summary: 'List a site’s webhooks, oldest first',
    description: `A site has at most ${MOST_WEBHOOKS} webhooks, so they are all on one page.`,
    status: 200,
    answer: webhookListBody,
    refusals: [404],
    run: async ({ desk, actor, path }) => {
      const webhooks = await desk.storage.read(selectOwnWebhooks(actor, path.site ?? ''));
      return { data: webhooks.map((webhook) => renderWebhook(webhook, desk.now())) };
    },
  }),
  defineRoute({
    operationId: 'createWebhook',
    method: 'POST',
    path: '/sites/{site}/webhooks',
    repeatGets: 'refusal',
    who: 'owner',
    tag,
    summary: 'Create a webhook',
    description:
      'Galley will send calls for all later changes. The response contains the secret that signs them, which is never shown again. ' +
      'Without `kinds`, the webhook receives all events about content. The `full` payload requires GALLEY_PUBLIC_URL.',
    body: newWebhookBody,
    status: 201,
    answer: newWebhookAnswer,
    state: ({ secret: _, ...webhook }) => readWebhookState(webhook),
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body }) => {
      const siteId = path.site ?? '';
      const settings = mergeSettings({ ...DEFAULT_SETTINGS, name: body.name, url: body.url }, body);
      return addSecret(desk, actor, siteId, await createWebhook(desk, actor, siteId, settings));
    },
  }),
  defineRoute({
    operationId: 'getWebhook',
    method: 'GET',
    path: '/sites/{site}/webhooks/{webhook}',
    who: 'owner',
    tag,
    summary: 'Read a webhook',
    status: 200,
    answer: webhookBody,
    state: readWebhookState,
    refusals: [404],
    run: ({ desk, actor, path }) => readWebhook(desk, actor, readAddress(path)),
  }),
  defineRoute({
    operationId: 'updateWebhook',
    method: 'PATCH',
    path: '/sites/{site}/webhooks/{webhook}',
    who: 'owner',
    tag,
    summary: 'Change a webhook, or switch it on or off',
    description:
      'Omitted properties stay as they are. `headers` replaces all custom headers; a value of null keeps the stored one. ' +
      'If the new `url` points to a different server, all values must be provided again. A webhook that is switched on again will receive changes from then on. Switching it off cancels its pending calls.',
    body: webhookChangeBody,
    status: 200,
    answer: webhookBody,
    refusals: [404, 422],
    run: async ({ desk, actor, path, body }) => {
      await updateWebhook(desk, actor, readAddress(path), (webhook) => mergeSettings(webhook, body));
      return readWebhook(desk, actor, readAddress(path));
    },
  }),
  defineRoute({
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: '/sites/{site}/webhooks/{webhook}',
    who: 'owner',
    tag,
    summary: 'Delete a webhook',
    description: 'Its pending calls and its call log are deleted too.',
    status: 204,
    answer: null,
    refusals: [404],
    run: ({ desk, actor, path }) => deleteWebhook(desk, actor, readAddress(path)),
  }),
  defineRoute({
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    path: '/sites/{site}/webhooks/{webhook}/rotate-secret',
    repeatGets: 'refusal',
    who: 'owner',
    tag,
    summary: 'Replace a webhook’s secret',
    description:
      'The response contains the new secret, which is never shown again. For 24 hours, calls are signed with both secrets.',
    status: 200,
    answer: newWebhookAnswer,
    refusals: [404],
    run: async ({ desk, actor, path }) => {
      const created = await rotateWebhookSecret(desk, actor, readAddress(path));
      return addSecret(desk, actor, path.site ?? '', created);
    },
  }),
];
