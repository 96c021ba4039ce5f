import type { WebhookBody } from '@galley/wire';
import type { Command } from 'commander';
import type { CreatedWebhook } from '../authoring/webhooks.ts';
import { PROGRAM } from '../program-name.ts';
import { addExamples, defineGroup } from './help-text.ts';
import { cleanText, createPaint } from './paint.ts';
import { idOption, nameOption, textsOption, webhookUrlOption } from './parse-option.ts';
import { formatTime, printCreated, printJson, printTable, printText } from './print-result.ts';
import { defineWebhookCalls } from './webhook-calls.ts';
import {
  addSettings,
  mergeFlags,
  mergeUpdate,
  readHeaders,
  type SettingFlags,
  type UpdateFlags,
} from './webhook-settings.ts';
import { defineForWebhook, type JsonFlag, type OpenWebhook, withDesk, withWebhook } from './with-webhook.ts';

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
      'Creates a webhook: from then on, Galley calls the URL when something changes. Prints the secret used to sign the calls. The secret is shown only once.',
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
    return { ...(await readWebhook({ desk, actor, address: { siteId, webhookId } })), secret };
  });
  printSecret('Created a webhook.', created, flags);
}

async function readWebhook({ desk, actor, address }: OpenWebhook): Promise<WebhookBody> {
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

function defineUpdate(webhook: Command): void {
  const command = defineForWebhook(webhook, 'update', 'change a webhook, or switch it on or off')
    .description(
      'Changes a webhook. Settings that you do not specify stay as they are. A webhook that is switched on again receives changes from then on. Switching it off cancels its pending calls.',
    )
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

async function runUpdate(id: string, flags: UpdateFlags & JsonFlag, command: Command): Promise<void> {
  refuseBoth(command, ['--on', flags.on], ['--off', flags.off]);
  refuseBoth(command, ['--content-type', flags.contentType], ['--all-content-types', flags.allContentTypes]);
  refuseBoth(command, ['--language', flags.language], ['--all-languages', flags.allLanguages]);
  const headers = readHeaders(command, flags.header);
  const { refuseCarriedHeaders, updateWebhook } = await import('./work.ts');
  const changed = await withWebhook(id, async (webhook) => {
    const { desk, actor, address } = webhook;
    await updateWebhook(desk, actor, address, (known) => {
      const settings = mergeUpdate(known, flags, headers);
      if (Object.keys(settings.headers).some((name) => !Object.hasOwn(headers, name)))
        refuseCarriedHeaders(known, flags.url);
      return settings;
    });
    return readWebhook(webhook);
  });
  if (flags.json) return printJson(changed);
  printText(`Changed the webhook ${id}. It is ${describeState(changed)}.`);
}

type Flag = readonly [name: string, value: unknown];

function refuseBoth(command: Command, [name, value]: Flag, [other, otherValue]: Flag): void {
  if (value === undefined || otherValue === undefined) return;
  command.error(`error: use either ${name} or ${other}, not both`);
}

function defineDelete(webhook: Command): void {
  defineForWebhook(webhook, 'delete', 'delete a webhook and its log')
    .description('Deletes a webhook, its pending calls and its call log. This cannot be undone.')
    .option('--json', 'print the result as JSON')
    .action(runDelete);
}

async function runDelete(id: string, flags: JsonFlag): Promise<void> {
  const { deleteWebhook } = await import('./work.ts');
  await withWebhook(id, ({ desk, actor, address }) => deleteWebhook(desk, actor, address));
  if (flags.json) return printJson({ id, state: 'deleted' });
  printText(`Deleted the webhook ${id}.`);
}

function defineRotateSecret(webhook: Command): void {
  defineForWebhook(webhook, 'rotate-secret', 'replace a webhook’s secret')
    .description('Replaces the secret and prints the new one. For 24 hours, calls are signed with both secrets.')
    .option('--json', 'print the webhook, with its new secret, as JSON')
    .action(runRotateSecret);
}

async function runRotateSecret(id: string, flags: JsonFlag): Promise<void> {
  const { rotateWebhookSecret } = await import('./work.ts');
  const rotated = await withWebhook(id, async (webhook) => {
    const { secret } = await rotateWebhookSecret(webhook.desk, webhook.actor, webhook.address);
    return { ...(await readWebhook(webhook)), secret };
  });
  printSecret('Replaced the secret.', rotated, flags);
}
