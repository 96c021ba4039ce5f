// How the management API responds while the database is unavailable, and when a bug causes an error.

import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createDrainState } from '../../src/http/drain.ts';
import { readSettings } from '../../src/settings.ts';
import { type Engine, OutcomeUnknown, StorageUnavailable } from '../../src/storage/engine.ts';
import { buildStorage } from '../../src/storage/storage.ts';
import { checkManagementAnswer } from '../support/management-openapi-check.ts';

let failure: Error = new StorageUnavailable('the disk is gone');
async function fail(): Promise<never> {
  throw failure;
}
const brokenEngine: Engine = {
  read: fail,
  readList: fail,
  readForRequest: fail,
  readNewestForRequest: fail,
  peekStamp: () => undefined,
  outageMs: () => undefined,
  figures: () => undefined,
  snapshot: fail,
  transaction: fail,
  writeUnseen: fail,
  eraseTraces: async () => {},
  stopWaiting: () => {},
  close: async () => {},
};

const settings = readSettings({}, () => '');
if (!settings.ok) throw new Error(settings.problem.join('\n'));
const server = createApp({
  settings: settings.value,
  storage: buildStorage(brokenEngine, randomBytes(32), { engine: 'sqlite', path: '/nowhere' }),
  log: pino({ level: 'silent' }),
  drain: createDrainState(),
  now: Date.now,
  version: '0.0.0-test',
  demoAccess: undefined,
});
let url: string;

beforeAll(async () => {
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(() => server.close());

async function call(method: string, path: string) {
  const response = await fetch(`${url}${path}`, { method, headers: { authorization: 'Bearer gm_any' } });
  const answer = { status: response.status, headers: response.headers, body: await response.json() };
  expect(checkManagementAnswer(method, path, answer)).toEqual([]);
  return answer;
}

test.each([
  ['GET', '/account', 'Service unavailable.'],
  ['PATCH', '/account', 'Service unavailable. Nothing was saved.'],
  ['POST', '/sites/s_1/content/c_1/render', 'Service unavailable.'],
  ['POST', '/sites/s_1/content/c_1/validate', 'Service unavailable.'],
])('%s %s returns 503 with Retry-After while the database cannot be reached', async (method, path, message) => {
  failure = new StorageUnavailable('the disk is gone');
  const answer = await call(method, `/manage/v1${path}`);
  expect(answer).toMatchObject({ status: 503, body: { message } });
  expect(answer.headers.get('retry-after')).toBe('1');
});

test.each(['render', 'validate'])(
  'an error in a call to %s, which saves nothing, never says that something may have been saved',
  async (action) => {
    failure = new OutcomeUnknown('The thread failed');
    const answer = await call('POST', `/manage/v1/sites/s_1/content/c_1/${action}`);
    expect(answer).toMatchObject({ status: 503, body: { message: 'Service unavailable.' } });
  },
);

test.each(['GET', 'PATCH'])('%s returns 500 without details if a bug causes an error', async (method) => {
  failure = new Error('no such column: secret');
  expect(await call(method, '/manage/v1/account')).toMatchObject({ status: 500, body: { message: 'Server error.' } });
});

test('the OpenAPI document is available without the database', async () => {
  expect((await fetch(`${url}/manage/v1/openapi.json`)).status).toBe(200);
  expect((await fetch(`${url}/manage/docs`)).status).toBe(200);
});
