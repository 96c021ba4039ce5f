// Webhook calls: sending a test, listing the log, showing a call, and sending a call again.

import type { WebhookCallBody, WebhookCallDetailsBody } from '@galley/wire';
import { type Command, Option } from 'commander';
import { cleanLines, cleanText, createPaint } from './paint.ts';
import { idOption, wholeNumberOption } from './parse-option.ts';
import { formatTime, printJson, printPainted, printTable, printText } from './print-result.ts';
import { defineForWebhook, type JsonFlag, type OpenWebhook, withWebhook } from './with-webhook.ts';

const STATES = ['waiting', 'delivered', 'failed'] as const;
const MOST_CALLS = 500;
const USUAL_CALLS = 50;

export function defineWebhookCalls(webhook: Command): void {
  defineTest(webhook);
  defineCalls(webhook);
  defineCall(webhook);
  defineSendAgain(webhook);
}

function defineTest(webhook: Command): void {
  defineForWebhook(webhook, 'test', 'send a test call')
    .description('Asks the running service to send a test call. See its result with "galley webhook call".')
    .option('--json', 'print the call as JSON')
    .action(runTest);
}

async function runTest(id: string, flags: JsonFlag): Promise<void> {
  const { sendTestCall } = await import('./work.ts');
  await addCall(id, flags, ({ desk, actor, address }) => sendTestCall(desk, actor, address));
}

async function addCall(
  id: string,
  flags: JsonFlag,
  makeCall: (webhook: OpenWebhook) => Promise<string>,
): Promise<void> {
  const { findCall, renderCall } = await import('./work.ts');
  const call = await withWebhook(id, async (webhook) => {
    const callId = await makeCall(webhook);
    const { desk, actor, address } = webhook;
    return renderCall(await desk.storage.read(findCall(actor, { ...address, callId })));
  });
  if (flags.json) return printJson(call);
  printText(`Added the call ${call.id}. A running service will send it within a second or so.`);
}

function defineCalls(webhook: Command): void {
  defineForWebhook(webhook, 'calls', 'list the calls to a webhook')
    .description('Lists the calls to a webhook, newest first: those that are pending, and the last 500 that ended.')
    .addOption(new Option('--state <state>', 'only calls in this state').choices(STATES))
    .option('--limit <n>', `number of calls, at most ${MOST_CALLS}`, wholeNumberOption(1, MOST_CALLS), USUAL_CALLS)
    .option('--json', 'print the calls as a JSON array')
    .action(runCalls);
}

interface CallsFlags extends JsonFlag {
  readonly state?: (typeof STATES)[number];
  readonly limit: number;
}

async function runCalls(id: string, { state, limit, json }: CallsFlags): Promise<void> {
  const { findWebhook, renderCall, selectCalls } = await import('./work.ts');
  const calls = await withWebhook(id, async ({ desk: { storage }, actor, address }) => {
    const { no } = await storage.read(findWebhook(actor, address));
    return (await storage.read(selectCalls(no, { state, before: null, limit }))).map(renderCall);
  });
  if (json) return printJson(calls);
  if (calls.length === 0) return printText('There are no matching calls.');
  printTable({
    headings: ['ID', 'STATE', 'TYPE', 'CREATED', 'ATTEMPTS', 'RESULT', 'NEXT TRY'],
    rows: calls.map((call) => [
      call.id,
      call.state,
      call.type,
      formatTime(call.created_at),
      String(call.attempts),
      describeResult(call),
      formatTime(call.next_at),
    ]),
  });
}

function describeResult({ status, error, duration_ms }: WebhookCallBody): string {
  if (duration_ms === null) return error ?? 'not sent yet';
  return `${error ?? status ?? 'no response'} (${duration_ms} ms)`;
}

function defineCall(webhook: Command): void {
  defineForWebhook(webhook, 'call', 'show a call with its request and response')
    .description(
      'Shows a call with the request and the response of its last attempt, including up to 16 KB of the request body and 2 KB of the response body. Secrets and the values of custom headers are masked.',
    )
    .argument('<call>', 'id of the call; see "galley webhook calls"', idOption)
    .option('--json', 'print the call as JSON')
    .action(runCall);
}

async function runCall(id: string, callId: string, { json }: JsonFlag): Promise<void> {
  const { findCall, renderCallDetails } = await import('./work.ts');
  const call = await withWebhook(id, async ({ desk: { storage }, actor, address }) =>
    renderCallDetails(await storage.read(findCall(actor, { ...address, callId }))),
  );
  if (json) return printJson(call);
  const paint = createPaint(process.stdout);
  const rows = [
    ['Call', call.id],
    ['State', call.state],
    ['Type', call.type],
    ['Created', formatTime(call.created_at)],
    ['Attempts', String(call.attempts)],
    ['Last try', formatTime(call.attempt_at)],
    ['Next try', formatTime(call.next_at)],
    ['Result', cleanText(describeResult(call))],
  ] as const;
  printPainted(
    [
      ...rows.map(([label, value]) => `${paint('dim', label.padEnd(8))} ${value}`),
      ...renderExchange(paint('title', 'Request'), call.request),
      ...renderExchange(paint('title', 'Response'), call.response),
    ].join('\n'),
  );
}

/** The lines are indented, so that no line of a body looks like Galley's own output. */
function renderExchange(title: string, exchange: WebhookCallDetailsBody['request']): readonly string[] {
  if (exchange === null) return [];
  const headers = Object.entries(exchange.headers).map(([name, value]) => cleanText(`${name}: ${value}`));
  const body = cleanLines(exchange.body ?? '(The body was removed when content was permanently deleted.)').split('\n');
  return ['', title, ...[...headers, '', ...body].map((line) => `  ${line}`.trimEnd())];
}

function defineSendAgain(webhook: Command): void {
  defineForWebhook(webhook, 'send-again', 'send a call’s events again')
    .description('Asks the running service to resend the events of a call that has ended, as a new call.')
    .argument('<call>', 'id of the call; see "galley webhook calls"', idOption)
    .option('--json', 'print the new call as JSON')
    .action(runSendAgain);
}

async function runSendAgain(id: string, callId: string, flags: JsonFlag): Promise<void> {
  const { sendCallAgain } = await import('./work.ts');
  await addCall(id, flags, ({ desk, actor, address }) => sendCallAgain(desk, actor, { ...address, callId }));
}
