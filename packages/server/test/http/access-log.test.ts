// The access log of the whole service: one line per request, whichever part handles it, and no secrets.

import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { createManagementToken } from '../../src/authoring/people/management-tokens.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { createDrainState } from '../../src/http/drain.ts';
import { readSettings } from '../../src/settings.ts';
import { RECORDS } from '../conformance/fixture.ts';
import { PLAIN, PRESS } from '../conformance/records.ts';
import { startService, type TestService } from '../support/service.ts';

type Line = Readonly<Record<string, unknown>>;

const text: string[] = [];
let onLine: () => void = () => {};
const destination = {
  write(line: string) {
    text.push(line);
    onLine();
  },
};

let service: TestService;
let key: { readonly id: string; readonly token: string };

beforeAll(async () => {
  const log = pino({ level: 'info' }, destination);
  service = await startService({ GALLEY_ACCESS_LOG: 'true' }, { log });
  await service.importRecords(RECORDS);
  key = await service.createKey({ sites: [PRESS] });
});

afterAll(() => service.close());

/** The log line for a request. The response may arrive before the line is written. */
async function ask(target: string, init: RequestInit = {}): Promise<Line> {
  text.length = 0;
  await (await fetch(`${service.url}${target}`, init)).arrayBuffer();
  while (text.length === 0) await new Promise<void>((resolve) => (onLine = resolve));
  expect(text).toHaveLength(1);
  return JSON.parse(text[0] ?? '');
}

function reading(site: string, token = key.token): RequestInit {
  return { headers: { authorization: `Bearer ${token}`, 'x-service-site': site } };
}

test('the access log names the caller of every content request', async () => {
  const { id } = key;
  const path = '/api/v1/content/c_full';
  const read = { method: 'GET', path, status: 200, site: PRESS, key: id };
  expect(await ask(path, reading(PRESS))).toMatchObject(read);
  expect(await ask(`${path}?token=${key.token}`, reading(PRESS))).toMatchObject(read);
  expect(await ask(path, { ...reading(PRESS), method: 'HEAD' })).toMatchObject({ ...read, method: 'HEAD' });
  expect(await ask('/api/v1/content?limit=0', reading(PRESS))).toMatchObject({ status: 422, site: PRESS, key: id });
  expect(await ask(path, reading(PLAIN))).toMatchObject({ status: 403, site: PLAIN, key: id });
});

test('the access log does not contain unknown site IDs or keys', async () => {
  const unknownSite = await ask('/api/v1/content', reading('s_unknown'));
  expect(unknownSite).toMatchObject({ status: 400, key: key.id });
  expect(unknownSite).not.toHaveProperty('site');
  const unknownKey = await ask('/api/v1/content', reading(PRESS, 'gk_wrong'));
  expect(unknownKey).toMatchObject({ status: 401 });
  expect(unknownKey).not.toHaveProperty('site');
  expect(unknownKey).not.toHaveProperty('key');
});

test("the access log covers the management API and the panel, and includes the token's ID", async () => {
  const desk = createDesk(service.storage);
  const options = { name: 'deploy', role: 'owner', expiresAt: null } as const;
  const { row, token } = await createManagementToken(desk, COMMAND_ACTOR, options);
  const path = `/manage/v1/sites/${PRESS}`;
  const managing = { headers: { authorization: `Bearer ${token}` } };
  expect(await ask(path, managing)).toMatchObject({ path, status: 200, site: PRESS, key: row.id });
  expect(await ask(path)).toMatchObject({ path, status: 401 });
  expect(await ask('/docs')).toMatchObject({ path: '/docs', status: 200 });
  expect(await ask('/nothing?secret=1')).toMatchObject({ path: '/nothing', status: 404 });
});

test('the access log contains no keys, tokens or query strings', async () => {
  const everything: string[] = [];
  const secret = key.token.slice(3);
  const encode = (characters: string) =>
    [...characters].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
  const inPaths = [
    key.token,
    `gk%5F${secret}`,
    `gk%5f${secret}`,
    `%67k_${secret}`,
    `%2567k%255f${secret}`,
    `gk_${secret.slice(0, 20)}${encode(secret.slice(20, 22))}${secret.slice(22)}`,
    `c_caf%C3%A9/gk%5F${secret}`,
  ];
  for (const target of [`/api/v1/content?token=${key.token}`, ...inPaths.map((path) => `/api/v1/content/${path}`)]) {
    await ask(target, reading(PRESS));
    everything.push(...text);
  }
  // The log must not contain even part of a key.
  expect(everything.join('')).not.toContain(secret.slice(-15));
  expect(everything.join('')).not.toContain('token=');
  expect(await ask('/api/v1/content/c_caf%C3%A9%20', reading(PRESS))).toMatchObject({
    path: '/api/v1/content/c_caf%C3%A9%20',
  });
});

test('a key is not accepted as a request ID', async () => {
  for (const id of [key.token, `mine-${key.token}`]) {
    const headers = { 'x-request-id': id };
    const { headers: answered } = await fetch(`${service.url}/livez`, { headers });
    expect(answered.get('x-request-id')).not.toContain('gk_');
    expect(JSON.stringify(await ask('/nothing', { headers }))).not.toContain(key.token);
  }
});

test.each(['silent', 'info', 'trace'])('the router is not affected by log level %s', async (level) => {
  const settings = readSettings({}, () => '');
  if (!settings.ok) throw new Error(settings.problem.join('\n'));
  const log = pino({ level }, { write: () => {} });
  const parts = { drain: createDrainState(), now: Date.now, version: '0.0.0-test', demoAccess: undefined };
  const server = createApp({ settings: settings.value, storage: service.storage, log, ...parts });
  const routed: string[] = [];
  server.addHook('onRequest', async ({ method, url }) => void routed.push(`${method} ${url}`));
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    for (const path of ['/api/v1/content', '/api/v1/content/c_full', '/api/v1/content/c%5Ffull', '/livez']) {
      expect((await fetch(`${url}${path}`, reading(PRESS))).status).toBe(200);
    }
    expect((await fetch(`${url}/api/v1/content`, { ...reading(PRESS), method: 'HEAD' })).status).toBe(200);
  } finally {
    await server.close();
  }
  expect(routed).toEqual(['GET /api/v1/content/c%5Ffull', 'GET /livez', 'HEAD /api/v1/content']);
});
