// Creates, changes and deletes a site's webhooks, and requests calls to them. A separate process may send the calls. No audit entry
// contains a secret, the value of a header, or the path of a URL, which many receivers treat as a secret.

import type { Catalog } from '../content/catalog.ts';
import type { Fault } from '../content/fault.ts';
import { buildId } from '../content/ids.ts';
import { DAY_MS } from '../content/timestamp.ts';
import { buildTestEvent, CONTENT_EVENTS } from '../content/webhook-event.ts';
import { buildWebhookSecret, MOST_HEADERS, MOST_WEBHOOKS, SECRET_BYTES } from '../content/webhook-rules.ts';
import type { Procedure } from '../storage/statement.ts';
import {
  type CallRecord,
  insertCalls,
  MOST_WAITING,
  selectCall,
  type WholeCall,
} from '../storage/webhooks/webhook-calls.ts';
import {
  countWebhooks,
  deleteWebhook as deleteWebhookRow,
  insertWebhook,
  rotateSecret,
  selectWebhook,
  selectWebhooks,
  switchWebhookOff,
  switchWebhookOn,
  updateWebhook as updateWebhookRow,
  type WebhookSettings,
  type WebhookSummary,
} from '../storage/webhooks/webhooks.ts';
import type { Actor } from './actor.ts';
import { describeChange } from './audit-note.ts';
import { AuthoringRefusal, refuseAbsent, refuseFaults } from './authoring-refusal.ts';
import { type Desk, type Job, work } from './desk.ts';
import { findCatalog, selectOwnSite } from './sites/find-site.ts';

/** The default settings of a new webhook. */
export const DEFAULT_SETTINGS: Omit<WebhookSettings, 'name' | 'url'> = {
  kinds: CONTENT_EVENTS,
  types: null,
  languages: null,
  headers: {},
  payload: 'light',
  isBatched: false,
  isOn: true,
};

export interface WebhookAddress {
  readonly siteId: string;
  readonly webhookId: string;
}

export function* selectOwnWebhooks(actor: Actor, siteId: string): Procedure<readonly WebhookSummary[]> {
  const site = yield* selectOwnSite(actor, siteId);
  return yield* selectWebhooks(site.no);
}

export function* findWebhook(actor: Actor, { siteId, webhookId }: WebhookAddress): Procedure<WebhookSummary> {
  const site = yield* selectOwnSite(actor, siteId);
  const webhook = yield* selectWebhook(site.no, webhookId);
  if (webhook === undefined) throw refuseAbsent(`There is no webhook ${webhookId}.`);
  return webhook;
}

export function* findCall(actor: Actor, address: WebhookAddress & { readonly callId: string }): Procedure<WholeCall> {
  const webhook = yield* findWebhook(actor, address);
  const call = yield* selectCall(webhook.no, address.callId);
  if (call === undefined) throw refuseAbsent(`There is no call ${address.callId}.`);
  return call;
}

export interface CreatedWebhook {
  readonly id: string;
  /** Shown once. */
  readonly secret: string;
}

/** Galley calls the webhook only for changes made after its creation. */
export function createWebhook(
  desk: Desk,
  actor: Actor,
  siteId: string,
  settings: WebhookSettings,
): Promise<CreatedWebhook> {
  return work(desk, actor, async (job) => {
    const catalog = await findCatalog(job, siteId);
    const { no: siteNo } = catalog.site;
    refuseFaulty(desk, catalog, settings);
    if ((await job.run(countWebhooks(siteNo))) >= MOST_WEBHOOKS) {
      const message = `A site can have at most ${MOST_WEBHOOKS} webhooks.`;
      throw new AuthoringRefusal(message, { reason: 'conflict', code: 'limit_reached' });
    }
    const id = buildId('webhook', job.newUuid());
    const secret = buildWebhookSecret(job.randomBytes(SECRET_BYTES));
    await job.run(insertWebhook({ ...settings, siteNo, id, secret, createdAt: job.now }));
    const { name: subjectName, ...details } = describeSettings(settings);
    const url = hidePath(settings.url);
    await job.note({ action: 'webhook.create', siteId, subjectId: id, subjectName, details: { ...details, url } });
    return { id, secret };
  });
}

/** Calls that are already pending are sent to the new URL, with the new headers. */
export function updateWebhook(
  desk: Desk,
  actor: Actor,
  address: WebhookAddress,
  change: (webhook: WebhookSummary) => WebhookSettings,
): Promise<void> {
  return work(desk, actor, async (job) => {
    const webhook = await job.run(findWebhook(actor, address));
    const settings = change(webhook);
    refuseFaulty(desk, await findCatalog(job, address.siteId), settings, webhook);
    const details = describeUpdate(webhook, settings);
    if (details === undefined) return;
    await job.run(updateWebhookRow(webhook.no, settings, job.now));
    if (settings.isOn && !webhook.isOn) await job.run(switchWebhookOn(webhook, job.now));
    if (!settings.isOn && webhook.isOn) await job.run(switchWebhookOff(webhook.no, null, job.now));
    await note(job, 'webhook.update', address, settings.name, details);
  });
}

/**
 * Nobody can read a stored header value, so it must not be possible to send it to another server. Call this if an update keeps stored
 * values.
 * @param url undefined if the URL stays as it is
 */
export function refuseCarriedHeaders(known: WebhookSettings, url: string | undefined): void {
  if (url === undefined || new URL(url).origin === new URL(known.url).origin) return;
  if (Object.keys(known.headers).length === 0) return;
  const message = 'must be given again with their values, because the URL points to a different server';
  throw refuseFaults([{ path: 'headers', message }]);
}

/** Also deletes the webhook's pending calls and its log. */
export function deleteWebhook(desk: Desk, actor: Actor, address: WebhookAddress): Promise<void> {
  return work(desk, actor, async (job) => {
    const { no, name } = await job.run(findWebhook(actor, address));
    await job.run(deleteWebhookRow(no));
    await note(job, 'webhook.delete', address, name);
  });
}

/** Receivers have this long to switch to the new secret. Meanwhile, calls are signed with both. */
const BOTH_VALID_MS = DAY_MS;

export function rotateWebhookSecret(desk: Desk, actor: Actor, address: WebhookAddress): Promise<CreatedWebhook> {
  return work(desk, actor, async (job) => {
    const { no, id, name } = await job.run(findWebhook(actor, address));
    const secret = buildWebhookSecret(job.randomBytes(SECRET_BYTES));
    await job.run(rotateSecret(no, secret, job.now + BOTH_VALID_MS, job.now));
    await note(job, 'webhook.rotate_secret', address, name);
    return { id, secret };
  });
}

/** Returns the id of the new call, which is sent within a second or so. */
export function sendTestCall(desk: Desk, actor: Actor, address: WebhookAddress): Promise<string> {
  return work(desk, actor, async (job) => {
    const webhook = await job.run(findWebhook(actor, address));
    const event = buildTestEvent(address.siteId, webhook.id, job.now);
    const callId = await addCall(job, webhook, { type: event.type, events: [event] });
    await note(job, 'webhook.test', address, webhook.name, { call: callId });
    return callId;
  });
}

/** Sends a call's events again, as a new call. Returns its id. */
export function sendCallAgain(
  desk: Desk,
  actor: Actor,
  address: WebhookAddress & { readonly callId: string },
): Promise<string> {
  return work(desk, actor, async (job) => {
    const webhook = await job.run(findWebhook(actor, address));
    const { state, type, events } = await job.run(findCall(actor, address));
    if (state === 'waiting') {
      const message = `Call ${address.callId} is still pending. Galley will send it.`;
      const details = { reason: 'call_pending' };
      throw new AuthoringRefusal(message, { reason: 'conflict', code: 'wrong_state', details });
    }
    const callId = await addCall(job, webhook, { type, events });
    await note(job, 'webhook.send_again', address, webhook.name, { call: address.callId, new_call: callId });
    return callId;
  });
}

async function addCall(
  job: Job,
  { no: webhookNo, siteNo, id, isOn, waitingCalls }: WebhookSummary,
  call: Pick<CallRecord, 'type' | 'events'>,
): Promise<string> {
  if (!isOn) {
    const message = `Webhook ${id} is switched off. Switch it on first.`;
    const details = { reason: 'webhook_off' };
    throw new AuthoringRefusal(message, { reason: 'conflict', code: 'wrong_state', details });
  }
  if (waitingCalls >= MOST_WAITING) {
    const message = `Webhook ${id} already has ${waitingCalls} pending calls.`;
    const details = { reason: 'calls_pending', total: waitingCalls };
    throw new AuthoringRefusal(message, { reason: 'conflict', code: 'limit_reached', details });
  }
  const callId = buildId('webhookCall', job.newUuid());
  await job.run(insertCalls([{ ...call, siteNo, webhookNo, id: callId, nextAt: job.now, createdAt: job.now }]));
  return callId;
}

/** @param before the current settings. The types and languages that they name may since have been deleted. */
function refuseFaulty(
  { hasPublicUrl = false }: Desk,
  { site, typesByHandle }: Catalog,
  { types, languages, headers, payload }: WebhookSettings,
  before?: WebhookSettings,
): void {
  const faults: Fault[] = [];
  for (const [index, handle] of (types ?? []).entries()) {
    if (typesByHandle.has(handle) || before?.types?.includes(handle) === true) continue;
    const message = `names a content type that does not exist; got ${JSON.stringify(handle)}`;
    const values = { kind: 'content_type', id: handle };
    faults.push({ path: `content_types[${index}]`, message, code: 'not_found', values });
  }
  for (const [index, language] of (languages ?? []).entries()) {
    if (site.languages.includes(language) || before?.languages?.includes(language) === true) continue;
    const message = `names a language that the site does not have; got ${JSON.stringify(language)}`;
    const values = { kind: 'language', id: language };
    faults.push({ path: `languages[${index}]`, message, code: 'not_found', values });
  }
  const count = Object.keys(headers).length;
  if (count > MOST_HEADERS) {
    const message = `must have at most ${MOST_HEADERS} headers, got ${count}`;
    faults.push({ path: 'headers', message, code: 'too_many', values: { max: MOST_HEADERS, count } });
  }
  if (payload === 'full' && before?.payload !== 'full' && !hasPublicUrl) {
    const message = 'can be full only if the service knows its own URL. Ask the operator to set GALLEY_PUBLIC_URL.';
    faults.push({ path: 'payload', message, code: 'not_allowed' });
  }
  if (faults.length > 0) throw refuseFaults(faults);
}

function note(
  job: Job,
  action: string,
  { siteId, webhookId }: WebhookAddress,
  subjectName: string,
  details?: Readonly<Record<string, unknown>>,
): Promise<void> {
  return job.note({ action, siteId, subjectId: webhookId, subjectName, ...(details && { details }) });
}

/** The settings, under the names that the API uses. Header values are left out. */
function describeSettings(settings: WebhookSettings) {
  return {
    name: settings.name,
    url: settings.url,
    kinds: settings.kinds.toSorted(),
    content_types: settings.types?.toSorted() ?? null,
    languages: settings.languages?.toSorted() ?? null,
    header_names: Object.keys(settings.headers).toSorted(),
    payload: settings.payload,
    is_batched: settings.isBatched,
    is_on: settings.isOn,
  };
}

/** Undefined if nothing changes. */
function describeUpdate(
  before: WebhookSettings,
  after: WebhookSettings,
): Readonly<Record<string, unknown>> | undefined {
  const details = describeChange(describeSettings(before), describeSettings(after));
  const replaced = Object.entries(after.headers)
    .filter(([name, value]) => Object.hasOwn(before.headers, name) && before.headers[name] !== value)
    .map(([name]) => name);
  if (Object.keys(details.after).length === 0 && replaced.length === 0) return undefined;
  const hide = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    typeof members.url === 'string' ? { ...members, url: hidePath(members.url) } : members;
  const values = replaced.length === 0 ? {} : { replaced_header_values: replaced };
  return { before: hide(details.before), after: hide(details.after), ...values };
}

/** Many receivers are protected only by a URL that nobody can guess. */
function hidePath(url: string): string {
  return `${new URL(url).origin}/…`;
}
