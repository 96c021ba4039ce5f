import type { WebhookBody } from '@galley/wire';
import { type Command, Option } from 'commander';
import type { Actor } from '../authoring/actor.ts';
import type { Desk } from '../authoring/desk.ts';
import type { CreatedWebhook, WebhookAddress } from '../authoring/webhooks.ts';
import { EVENT_KINDS, type EventKind } from '../content/webhook-event.ts';
import { findHeaderNameFault, HEADER_VALUE_RULE, isHeaderValue } from '../content/webhook-rules.ts';
import { PROGRAM } from '../program-name.ts';
import type { WebhookSettings } from '../storage/webhooks/webhooks.ts';
import { addExamples, defineGroup } from './help-text.ts';
import { cleanText, createPaint } from './paint.ts';
import {
  choicesOption,
  idOption,
  idsOption,
  languageOption,
  nameOption,
  textsOption,
  webhookUrlOption,
} from './parse-option.ts';
import { formatTime, printCreated, printJson, printTable, printText } from './print-result.ts';
import { defineWebhookCalls, withDesk } from './webhook-calls.ts';

const SECRET_ADVICE = [
  'Save the secret now: it is shown only once. If you lose it,',
  'replace it with "rotate-secret".',
];

export function defineWebhook(program: Command): void {
  const webhook = defineGroup(program, 'webhook', 'create, change and test webhooks, and read their log');
  defineList(webhook);
  defineCreate(webhook);
  defineUpdate(webhook);
  defineDelete(webhook);
  defineRotateSecret(webhook);
  defineWebhookCalls(webhook);
}

interface JsonFlag {
  readonly json?: true;
}

function defineList(webhook: Command): void {
  webhook
    .command('list')
    .summary('list a site’s webhooks')
    .description('Lists a site’s webhooks. Secrets and header values are not shown.')
    .requiredOption('--site <id>', 'the site', idOption)
    .option('--json', 'print the webhooks as a JSON array')
    .action(runList);
}

async function runList(flags: JsonFlag & { readonly site: string }): Promise<void> {
  const { findSiteActor, renderWebhook, selectOwnWebhooks, withExistingStorage } = await import('./work.ts');
  const stored = await withExistingStorage(async ({ read }) =>
    read(selectOwnWebhooks(await read(findSiteActor(flags.site)), flags.site)),
  );
  const now = Date.now();
  const webhooks = stored.map((each) => renderWebhook(each, now));
  if (flags.json) return printJson(webhooks);
  if (webhooks.length === 0) return printText('The site has no webhooks yet.');
  printTable({
    headings: ['ID', 'STATE', 'NAME', 'URL', 'EVENTS', 'WAITING', 'LAST CALL'],
    rows: webhooks.map((each) => [
      each.id,
      describeState(each),
      each.name,
      each.url,
      each.kinds.join(', '),
      String(each.waiting_calls),
      formatTime(each.last_call_at),
    ]),
  });
}

function describeState({ is_on, off_reason, failing_since }: WebhookBody): string {
  if (is_on) return failing_since === null ? 'on' : 'on, failing';
  return off_reason === null ? 'off' : `off, ${off_reason}`;
}

interface SettingFlags {
  readonly name?: string;
  readonly url?: string;
  readonly kind?: readonly EventKind[];
  readonly contentType?: readonly string[];
  readonly language?: readonly string[];
  readonly header?: readonly string[];
  readonly payload?: 'light' | 'full';
  readonly batch?: boolean;
}

/** The options that `create` and `update` share. */
function addSettings(command: Command): Command {
  return command
    .option(
      '--kind <event>',
      `event to send; repeat for several: ${EVENT_KINDS.join(', ')}`,
      choicesOption(EVENT_KINDS),
    )
    .option('--content-type <handle>', 'only content of this type; repeat for several', idsOption)
    .option('--language <tag>', 'only content in this language; repeat for several', languageTags)
    .option('--header <header>', 'custom header, like "Authorization: Bearer TOKEN"; repeat for several', textsOption)
    .addOption(
      new Option('--payload <payload>', 'only ids and URIs, or the content as well').choices(['light', 'full']),
    )
    .option('--batch', 'combine all changes within 2 seconds into one call');
}

function languageTags(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, languageOption(text)];
}

interface CreateFlags extends SettingFlags, JsonFlag {
  readonly site: string;
  readonly name: string;
  readonly url: string;
  readonly off?: true;
}

function defineCreate(webhook: Command): void {
  const command = webhook
    .command('create')
    .summary('create a webhook')
    .description(
      'Creates a webhook and prints the secret that signs its calls. The secret is shown only once. From then on, Galley calls the URL when something changes.',
    )
    .requiredOption('--site <id>', 'the site', idOption)
    .requiredOption('--name <name>', 'name of the webhook', nameOption)
    .requiredOption('--url <url>', 'the URL to call', webhookUrlOption);
  addSettings(command)
    .option('--off', 'create it switched off')
    .option('--json', 'print the webhook, with its secret, as JSON')
    .action(runCreate);
  addExamples(command, [
    [
      'Rebuild a website when anything is published',
      `${PROGRAM} webhook create --site s_demo --name Build \\\n    --url https://build.example/hook --batch`,
    ],
  ]);
}

async function runCreate(flags: CreateFlags, command: Command): Promise<void> {
  const headers = readHeaders(command, flags.header);
  const { createWebhook, DEFAULT_SETTINGS, findSiteActor } = await import('./work.ts');
  const { name, url, site: siteId, off = false } = flags;
  const settings = { ...mergeFlags({ ...DEFAULT_SETTINGS, name, url }, flags), headers, isOn: !off };
  const created = await withDesk(async (desk) => {
    const actor = await desk.storage.read(findSiteActor(siteId));
    const { id: webhookId, secret } = await createWebhook(desk, actor, siteId, settings);
    return { ...(await readWebhook(desk, actor, { siteId, webhookId })), secret };
  });
  printSecret('Created a webhook.', created, flags);
}

/** Commander would repeat an invalid option in its message, but the value of a header is secret. */
function readHeaders(command: Command, given: readonly string[] = []): WebhookSettings['headers'] {
  const headers = new Map<string, string>();
  for (const text of given) {
    const colon = text.indexOf(':');
    if (colon === -1) command.error('error: --header must be a name and a value, like "Authorization: Bearer TOKEN"');
    const name = text.slice(0, colon).trim().toLowerCase();
    const value = text.slice(colon + 1).trim();
    const fault = findHeaderNameFault(name) ?? (isHeaderValue(value) ? undefined : HEADER_VALUE_RULE);
    if (fault !== undefined) command.error(`error: --header ${name} ${fault}`);
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

/** Options that are not given stay as they are. */
function mergeFlags(known: WebhookSettings, flags: SettingFlags): WebhookSettings {
  return {
    name: flags.name ?? known.name,
    url: flags.url ?? known.url,
    kinds: flags.kind === undefined ? known.kinds : [...new Set(flags.kind)],
    types: flags.contentType === undefined ? known.types : [...new Set(flags.contentType)],
    languages: flags.language === undefined ? known.languages : [...new Set(flags.language)],
    headers: known.headers,
    payload: flags.payload ?? known.payload,
    isBatched: flags.batch ?? known.isBatched,
    isOn: known.isOn,
  };
}

async function readWebhook(desk: Desk, actor: Actor, address: WebhookAddress): Promise<WebhookBody> {
  const { findWebhook, renderWebhook } = await import('./work.ts');
  return renderWebhook(await desk.storage.read(findWebhook(actor, address)), Date.now());
}

function printSecret(title: string, webhook: WebhookBody & CreatedWebhook, { json }: JsonFlag): void {
  if (json) {
    printJson(webhook);
    return;
  }
  const paint = createPaint(process.stdout);
  printCreated({
    title,
    rows: [
      ['Secret', paint('key', webhook.secret)],
      ['ID', webhook.id],
      ['Name', cleanText(webhook.name)],
      ['URL', cleanText(webhook.url)],
      ['State', describeState(webhook)],
    ],
    advice: SECRET_ADVICE,
  });
}

interface UpdateFlags extends SettingFlags, JsonFlag {
  readonly allContentTypes?: true;
  readonly allLanguages?: true;
  readonly removeHeader?: readonly string[];
  readonly on?: true;
  readonly off?: true;
}

function defineUpdate(webhook: Command): void {
  const command = webhook
    .command('update')
    .summary('change a webhook, or switch it on or off')
    .description(
      'Changes a webhook. Settings that you do not specify stay as they are. A webhook that is switched on again receives changes from then on. Switching it off ends its pending calls.',
    )
    .argument('<id>', 'id of the webhook; see "galley webhook list"', idOption)
    .option('--name <name>', 'name of the webhook', nameOption)
    .option('--url <url>', 'the URL to call', webhookUrlOption);
  addSettings(command)
    .option('--no-batch', 'send each change in its own call')
    .option('--all-content-types', 'content of all types')
    .option('--all-languages', 'content in all languages')
    .option('--remove-header <name>', 'remove a custom header; repeat for several', textsOption)
    .option('--on', 'switch it on')
    .option('--off', 'switch it off')
    .option('--json', 'print the webhook as JSON')
    .action(runUpdate);
}

async function runUpdate(id: string, flags: UpdateFlags, command: Command): Promise<void> {
  refuseBoth(command, ['--on', flags.on], ['--off', flags.off]);
  refuseBoth(command, ['--content-type', flags.contentType], ['--all-content-types', flags.allContentTypes]);
  refuseBoth(command, ['--language', flags.language], ['--all-languages', flags.allLanguages]);
  const headers = readHeaders(command, flags.header);
  const { findWebhookPlace, refuseCarriedHeaders, updateWebhook } = await import('./work.ts');
  const changed = await withDesk(async (desk) => {
    const { actor, address } = await desk.storage.read(findWebhookPlace(id));
    await updateWebhook(desk, actor, address, (known) => {
      const settings = mergeUpdate(known, flags, headers);
      if (Object.keys(settings.headers).some((name) => !Object.hasOwn(headers, name)))
        refuseCarriedHeaders(known, flags.url);
      return settings;
    });
    return readWebhook(desk, actor, address);
  });
  if (flags.json) return printJson(changed);
  printText(`Changed the webhook ${id}. It is ${describeState(changed)}.`);
}

type Flag = readonly [name: string, value: unknown];

function refuseBoth(command: Command, [name, value]: Flag, [other, otherValue]: Flag): void {
  if (value === undefined || otherValue === undefined) return;
  command.error(`error: use either ${name} or ${other}, not both`);
}

function mergeUpdate(known: WebhookSettings, flags: UpdateFlags, headers: WebhookSettings['headers']): WebhookSettings {
  const settings = mergeFlags(known, flags);
  const removed = new Set(flags.removeHeader?.map((name) => name.toLowerCase()));
  return {
    ...settings,
    types: flags.allContentTypes === true ? null : settings.types,
    languages: flags.allLanguages === true ? null : settings.languages,
    headers: Object.fromEntries(
      Object.entries({ ...known.headers, ...headers }).filter(([name]) => !removed.has(name)),
    ),
    isOn: flags.on === true || (known.isOn && flags.off !== true),
  };
}

function defineDelete(webhook: Command): void {
  webhook
    .command('delete')
    .summary('delete a webhook and its log')
    .description('Deletes a webhook, its pending calls and its call log. This cannot be undone.')
    .argument('<id>', 'id of the webhook; see "galley webhook list"', idOption)
    .option('--json', 'print the result as JSON')
    .action(runDelete);
}

async function runDelete(id: string, flags: JsonFlag): Promise<void> {
  const { deleteWebhook, findWebhookPlace } = await import('./work.ts');
  await withDesk(async (desk) => {
    const { actor, address } = await desk.storage.read(findWebhookPlace(id));
    await deleteWebhook(desk, actor, address);
  });
  if (flags.json) return printJson({ id, state: 'deleted' });
  printText(`Deleted the webhook ${id}.`);
}

function defineRotateSecret(webhook: Command): void {
  webhook
    .command('rotate-secret')
    .summary('replace a webhook’s secret')
    .description('Replaces the secret and prints the new one. For 24 hours, calls are signed with both secrets.')
    .argument('<id>', 'id of the webhook; see "galley webhook list"', idOption)
    .option('--json', 'print the webhook, with its new secret, as JSON')
    .action(runRotateSecret);
}

async function runRotateSecret(id: string, flags: JsonFlag): Promise<void> {
  const { findWebhookPlace, rotateWebhookSecret } = await import('./work.ts');
  const rotated = await withDesk(async (desk) => {
    const { actor, address } = await desk.storage.read(findWebhookPlace(id));
    const { secret } = await rotateWebhookSecret(desk, actor, address);
    return { ...(await readWebhook(desk, actor, address)), secret };
  });
  printSecret('Replaced the secret.', rotated, flags);
}
