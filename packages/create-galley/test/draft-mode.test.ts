// Tests the front ends' draft cookie and draft route. A small server stands in for Galley; test/browser uses the real one.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const SHARED = join(ROOT, 'examples/magazine-shared/src/lib');
const REPLACED = {
  './read-variable.ts': 'data:text/javascript,export const readVariable = (name) => process.env[name]',
  '@galley/client': `file://${join(ROOT, 'packages/client/src/index.ts')}`,
};
const SCRIPT = `
  import { registerHooks } from 'node:module';
  import { createInterface } from 'node:readline';
  const replaced = ${JSON.stringify(REPLACED)};
  registerHooks({
    resolve: (name, context, next) =>
      name in replaced && !context.parentURL.includes('/packages/')
        ? { url: replaced[name], format: replaced[name].startsWith('file:') ? 'module-typescript' : 'module', shortCircuit: true }
        : next(name, context),
  });
  const { buildDraftCookie, readAccess } = await import(${JSON.stringify(join(SHARED, 'draft-mode.ts'))});
  const { answerDraftRequest } = await import(${JSON.stringify(join(SHARED, 'answer-draft-request.ts'))});
  async function open(query) {
    const { status, headers } = await answerDraftRequest(new URLSearchParams(query));
    return { status, location: headers.get('location'), cookie: headers.get('set-cookie'), referrer: headers.get('referrer-policy') };
  }
  const { readPreviewSettings } = await import(${JSON.stringify(join(SHARED, 'preview-settings.ts'))});
  const setVariables = (variables) => Object.assign(process.env, variables);
  const functions = { buildDraftCookie, readAccess, open, readPreviewSettings, setVariables };
  for await (const line of createInterface({ input: process.stdin })) {
    const { name, value } = JSON.parse(line);
    console.log(JSON.stringify(await functions[name](value)));
  }
`;

let received: IncomingHttpHeaders = {};

/** Responds with the status in the token. */
const galley = createServer(({ headers }, response) => {
  received = headers;
  const [, status = '401'] = /^Bearer g(?:ps|sh)_status-(\d+)$/.exec(headers.authorization ?? '') ?? [];
  const message = status === '404' ? 'Content not found.' : 'Refused.';
  const body = status === '200' ? { id: 'c_1', uri: '\\evil.example/a b' } : { message };
  response.writeHead(Number(status), { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
galley.listen(0, '127.0.0.1');
await once(galley, 'listening');

const program = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
  stdio: ['pipe', 'pipe', 'inherit'],
  env: {
    ...process.env,
    GALLEY_API_URL: `http://127.0.0.1:${(galley.address() as AddressInfo).port}/api/v1`,
    GALLEY_SITE_ID: 's_demo',
  },
});
const answers = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
afterAll(() => {
  program.stdin.end();
  galley.close();
});

async function call(name: string, value: unknown): Promise<unknown> {
  program.stdin.write(`${JSON.stringify({ name, value })}\n`);
  return JSON.parse((await answers.next()).value ?? '');
}

test.each([
  ['without a cookie, visitors see what is published', '', 'published'],
  ['a preview secret shows all drafts', 'gps_abc-DEF_123', { token: 'gps_abc-DEF_123', isShared: false }],
  ['the token of a share link shows its draft', 'gsh_abc-DEF_123', { token: 'gsh_abc-DEF_123', isShared: true }],
  ['an API key is not a valid cookie', 'gk_abc', 'ended'],
  ['a token without a value is not valid', 'gps_', 'ended'],
  ['a token with other characters is not valid', 'gsh_a; Path=/x', 'ended'],
  ['a token with a line break is not valid', 'gps_a\n', 'ended'],
  ['a long token is not valid', `gps_${'a'.repeat(201)}`, 'ended'],
])('%s', async (_, cookie, access) => {
  expect(await call('readAccess', cookie)).toEqual(access);
});

test('the cookie works in a frame on another site, for twelve hours, and scripts cannot read it', async () => {
  expect(await call('buildDraftCookie', { token: 'gps_1', isShared: false })).toBe(
    'galley_draft=gps_1; Max-Age=43200; Path=/; HttpOnly; Secure; SameSite=None; Partitioned',
  );
});

const ENDED = { status: 307, location: '/preview-ended', cookie: expect.stringMatching(/^galley_draft=; Expires=Thu/) };

test.each([
  [
    'opens the page, always on this site, if Galley accepts the secret',
    'secret=gps_status-200&id=c_1',
    { status: 307, location: '/%5Cevil.example/a%20b', cookie: expect.stringMatching(/^galley_draft=gps_status-200;/) },
  ],
  ['says that the preview has ended if Galley rejects the secret', 'secret=gps_status-401&id=c_1', ENDED],
  ['says that the preview has ended if Galley rejects a share link', 'secret=gsh_status-401&id=c_1', ENDED],
  ['says that the preview has ended if the secret is for another site', 'secret=gps_status-403&id=c_1', ENDED],
  ['says that content does not exist', 'secret=gps_status-404&id=c_1', { status: 404, location: null, cookie: null }],
  [
    'asks visitors to wait if a share link is used for too many requests',
    'secret=gsh_status-429&id=c_1',
    { status: 503, location: null, cookie: null },
  ],
  [
    'says that the draft cannot be read if Galley fails',
    'secret=gps_status-500&id=c_1',
    { status: 502, location: null, cookie: null },
  ],
  ['rejects a missing secret', 'id=c_1', { status: 401, location: null, cookie: null }],
  ['rejects an API key', 'secret=gk_status-200&id=c_1', { status: 401, location: null, cookie: null }],
  ['rejects an invalid ID', 'secret=gps_status-200&id=/a', { status: 400, location: null, cookie: null }],
])('the draft route %s', async (_, query, answer) => {
  expect(await call('open', query)).toEqual({ ...answer, referrer: 'no-referrer' });
});

test.each([
  ['', 'service', 'x-service'],
  ['X-ACME', 'acme', 'x-acme'],
])('with the header prefix "%s", messages start with %s and headers with %s', async (prefix, brand, header) => {
  await call('setVariables', { GALLEY_HEADER_PREFIX: prefix, GALLEY_PANEL_URL: 'https://cms.example' });
  expect(await call('readPreviewSettings', {})).toEqual({ panelUrl: 'https://cms.example', siteId: 's_demo', brand });
  await call('open', { secret: 'gps_status-200', id: 'c_1' });
  const names = Object.keys(received).filter((name) => /^x-(service|acme)-/.test(name));
  expect(names.toSorted()).toEqual([`${header}-preview`, `${header}-site`, `${header}-source-map`]);
});
