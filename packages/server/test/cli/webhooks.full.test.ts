import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NewWebhookBody, WebhookBody, WebhookCallBody, WebhookCallDetailsBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, runForJson, runGalley, startServer } from '../support/galley-command.ts';

const URL = 'https://hooks.example/path';

describe('galley webhook', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;

  beforeAll(async () => {
    folder = await makeFolder();
    await runGalley(['site', 'create', '--id', 's_one', '--name', 'One', '--languages', 'en,fr'], { cwd: folder.path });
  });

  afterAll(async () => {
    await folder[Symbol.asyncDispose]();
  });

  const run = (...args: readonly string[]) => runGalley(['webhook', ...args], { cwd: folder.path });
  const json = <Body>(...args: readonly string[]) =>
    runForJson(['webhook', ...args], { cwd: folder.path }) as Promise<Body>;
  const create = (...args: readonly string[]) =>
    json<NewWebhookBody>('create', '--site', 's_one', '--name', 'Build', '--url', URL, ...args);

  test('the create command shows the secret once; the list command shows everything else', async () => {
    const { secret, ...webhook } = await create('--header', 'X-Key: numbat: 1', '--language', 'fr', '--batch');
    expect(secret).toMatch(/^whsec_/);
    expect(webhook).toMatchObject({
      url: URL,
      languages: ['fr'],
      header_names: ['x-key'],
      payload: 'light',
      is_batched: true,
      is_on: true,
    });
    const listed = await json<readonly WebhookBody[]>('list', '--site', 's_one');
    expect(listed).toContainEqual(webhook);
    const { stdout } = await run('list', '--site', 's_one');
    expect(stdout).toMatch(new RegExp(`^${webhook.id} +on +Build +${URL} `, 'm'));
    for (const word of [secret, 'numbat']) expect(JSON.stringify(listed) + stdout).not.toContain(word);
    const printed = await run('create', '--site', 's_one', '--name', 'Other', '--url', URL, '--off');
    expect(printed.stdout).toMatch(/^ {2}Secret +whsec_[\w+/]{43}=$/m);
    expect(printed.stdout).toMatch(/^ {2}State +off$/m);
    expect(printed.stdout).toContain('Save the secret now: it is shown only once.');
  });

  test('the update command does not let stored header values be sent to another server', async () => {
    const { id } = await create('--header', 'X-One: 1', '--header', 'X-Two: 2');
    const elsewhere = ['--url', 'https://elsewhere.example/hook'];
    for (const more of [[], ['--header', 'X-One: 1']]) {
      const refused = await run('update', id, ...elsewhere, ...more);
      expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('headers must be given again')]);
    }
    const headers = ['--header', 'X-One: 1', '--remove-header', 'X-Two'];
    expect(await json<WebhookBody>('update', id, ...elsewhere, ...headers)).toMatchObject({
      url: 'https://elsewhere.example/hook',
      header_names: ['x-one'],
    });
  });

  test('the update command changes only the given settings', async () => {
    const { id, secret: _, ...created } = await create('--header', 'X-One: 1', '--header', 'X-Two: 2', '--batch');
    const update = (...args: readonly string[]) => json<WebhookBody>('update', id, ...args);
    expect(await update('--name', 'Renamed')).toEqual({
      ...created,
      id,
      name: 'Renamed',
      changed_at: expect.any(String),
    });
    const kinds = ['import.finished', 'schedule.failed'];
    expect(
      await update(
        ...['--remove-header', 'X-One', '--header', 'X-Three: 3', '--no-batch', '--off', '--language', 'fr'],
        ...kinds.flatMap((kind) => ['--kind', kind]),
      ),
    ).toMatchObject({ header_names: ['x-two', 'x-three'], is_batched: false, is_on: false, languages: ['fr'], kinds });
    expect(await update('--all-languages', '--on')).toMatchObject({ languages: null, is_on: true, kinds });
    expect((await run('update', id, '--off')).stdout).toBe(`Changed the webhook ${id}. It is off.\n`);
  });

  test('the test and send-again commands create calls, and the calls command lists them', async () => {
    const { id } = await create();
    const first = await json<WebhookCallBody>('test', id);
    expect(first).toMatchObject({ type: 'webhook.test', state: 'waiting' });
    expect(await run('send-again', id, first.id)).toMatchObject({
      status: 1,
      stderr: `error: Call ${first.id} is still pending. Galley will send it.\n`,
    });
    // When the webhook is switched off, its pending calls fail.
    for (const flag of ['--off', '--on']) await run('update', id, flag);
    const second = await json<WebhookCallBody>('send-again', id, first.id);
    const ids = async (...args: readonly string[]) =>
      (await json<readonly WebhookCallBody[]>('calls', id, ...args)).map((call) => call.id);
    expect(await ids()).toEqual([second.id, first.id]);
    expect(await ids('--state', 'failed')).toEqual([first.id]);
    expect(await ids('--limit', '1')).toEqual([second.id]);
    const { stdout } = await run('calls', id);
    expect(stdout).toMatch(new RegExp(`^${first.id} +failed +webhook\\.test +.*switched off`, 'm'));
    expect((await run('test', id)).stdout).toMatch(/^Added the call msg_\w+\. A running service will send it/);
    expect((await run('call', id, second.id)).stdout).toMatch(/^Result +not sent yet$/m);
    expect((await run('call', id, 'msg_none')).stderr).toBe('error: There is no call msg_none.\n');
  });

  test('the call command shows the request and the beginning of the response, with secrets masked and control characters replaced', async () => {
    const receiver = createServer((request, response) => {
      response.setHeader('x-echo', `${request.headers['x-key']} \u009b31m`);
      response.writeHead(400).end(`\u001b[2JNo such hook\nAttempts 0\n${'x'.repeat(3000)}`);
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const env = { GALLEY_DEMO: 'false', GALLEY_WEBHOOK_ALLOW: '127.0.0.1' };
    await using server = await startServer({ cwd: folder.path, env });
    const { id } = await create('--url', `http://127.0.0.1:${port}/hook`, '--header', 'X-Key: numbat-secret');
    const sent = await json<WebhookCallBody>('test', id);
    const show = () => json<WebhookCallDetailsBody>('call', id, sent.id);
    await expect.poll(async () => (await show()).attempts).toBeGreaterThan(0);
    // Galley would retry the call if the webhook were still on.
    await run('update', id, '--off');
    const call = await show();
    expect(call).toMatchObject({
      id: sent.id,
      status: 400,
      request: { headers: { 'x-key': '•••', 'webhook-id': sent.id }, body: expect.stringContaining('"webhook.test"') },
      response: { headers: { 'x-echo': '••• \u009b31m' } },
    });
    expect(call.response?.body).toHaveLength(2048);
    const { stdout } = await run('call', id, sent.id);
    for (const line of [
      `Call +${sent.id}`,
      'State +failed',
      'Type +webhook\\.test',
      `Attempts +${call.attempts}`,
      'Request',
      ` {2}webhook-id: ${sent.id}`,
      ' {2}x-key: •••',
      ' {2}\\{"type":"webhook.test",.*',
      'Response',
      ' {2}x-echo: ••• \ufffd31m',
      ' {2}\ufffd\\[2JNo such hook',
      ' {2}Attempts 0',
      ' {2}x{1500,}',
    ])
      expect(stdout).toMatch(new RegExp(`^${line}$`, 'm'));
    expect(stdout.match(/^Attempts/gm)).toHaveLength(1);
    expect(JSON.stringify(call) + stdout).not.toContain('numbat');
    await server.stop();
    receiver.close();
  });

  test('the rotate-secret command prints a new secret, and the delete command removes the webhook', async () => {
    const { id, secret } = await create();
    const rotated = await json<NewWebhookBody>('rotate-secret', id);
    expect(rotated).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) });
    expect(rotated.secret).not.toBe(secret);
    expect(await json('delete', id)).toEqual({ id, state: 'deleted' });
    expect(await run('delete', id)).toEqual({ status: 1, stdout: '', stderr: `error: There is no webhook ${id}.\n` });
  });

  test.each([
    [['create', '--site', 's_one', '--name', 'A', '--url', 'hooks.example'], 'an http(s) URL'],
    [['create', '--site', 's_one', '--name', 'A', '--url', URL, '--kind', 'content.saved'], 'one of content.published'],
    [['create', '--site', 's_one', '--name', 'A', '--url', URL, '--header', 'numbat'], 'a name and a value'],
    [['create', '--site', 's_one', '--name', 'A', '--url', URL, '--header', 'X-A: numbat\u0001x'], 'printable ASCII'],
    [
      ['create', '--site', 's_one', '--name', 'A', '--url', URL, '--header', 'Host: numbat'],
      '--header host cannot be set',
    ],
    [['update', 'wh_1', '--on', '--off'], 'use either --on or --off, not both'],
    [['update', 'wh_1', '--language', 'fr', '--all-languages'], 'use either --language or --all-languages, not both'],
    [['list'], '--site'],
  ])('%j is a usage error', async (args, reason) => {
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('numbat');
  });

  test.each([
    [['list', '--site', 's_none'], 'There is no site s_none.'],
    [['create', '--site', 's_one', '--name', 'A', '--url', URL, '--content-type', 'post'], 'content_types[0]'],
    [['create', '--site', 's_one', '--name', 'A', '--url', URL, '--payload', 'full'], 'GALLEY_PUBLIC_URL'],
    [['calls', 'wh_none'], 'There is no webhook wh_none.'],
    [['call', 'wh_none', 'msg_none'], 'There is no webhook wh_none.'],
  ])('%j fails', async (args, reason) => {
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(reason);
  });
});
