// Tests what readers see while the database is unavailable: an immediate error, and normal responses as soon as it is
// back.

import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createDrainState } from '../../src/http/drain.ts';
import { readSettings } from '../../src/settings.ts';
import { type Engine, StorageUnavailable } from '../../src/storage/engine.ts';
import { buildStorage } from '../../src/storage/storage.ts';
import { compileReplyCheck, errorOf, exchange, LIST_PATH, type Reply } from './reader.ts';

const CREDENTIALS = { authorization: 'Bearer gk_any', 'x-service-site': 's_any' };

let failure: Error = new StorageUnavailable('the disk is gone');
/** A storage engine whose calls all fail with an error that each test sets. */
const brokenEngine: Engine = {
  read: async () => {
    throw failure;
  },
  readList: async () => {
    throw failure;
  },
  readForRequest: async () => {
    throw failure;
  },
  readNewestForRequest: async () => {
    throw failure;
  },
  peekStamp: () => undefined,
  outageMs: () => undefined,
  figures: () => undefined,
  snapshot: async () => {
    throw failure;
  },
  transaction: async () => {
    throw failure;
  },
  writeUnseen: async () => {
    throw failure;
  },
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
const findFaults = compileReplyCheck('X-SERVICE');
let url: string;

beforeAll(async () => {
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(() => server.close());

async function call(method: string, target: string, headers: Record<string, string> = {}): Promise<Reply> {
  const reply = await exchange(url, method, target, headers);
  expect(findFaults(method, target, reply)).toEqual([]);
  return reply;
}

test('returns 503 with Retry-After while the database cannot be reached', async () => {
  failure = new StorageUnavailable('the disk is gone');
  for (const target of [LIST_PATH, `${LIST_PATH}/c_full`]) {
    const reply = await call('GET', target, CREDENTIALS);
    expect(errorOf(reply)).toEqual([503, 'Service unavailable.']);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(reply.headers['cache-control']).toBe('no-store');
  }
});

test('still rejects requests that it can recognise as invalid without the database', async () => {
  failure = new StorageUnavailable('the disk is gone');
  expect(errorOf(await call('GET', LIST_PATH))).toEqual([401, 'Unauthenticated.']);
  expect(errorOf(await call('POST', LIST_PATH))).toEqual([405, 'Method not allowed.']);
  expect(errorOf(await call('GET', '/nothing'))).toEqual([404, 'Not found.']);
});

test('returns 500 without any details if a bug causes an error', async () => {
  failure = new Error('secret detail of the database');
  const reply = await call('GET', LIST_PATH, CREDENTIALS);
  expect(errorOf(reply)).toEqual([500, 'Server error.']);
  expect(reply.text).not.toContain('secret');
  expect(reply.headers['x-request-id']).toBeDefined();
});

test('stays alive but reports that it is not ready', async () => {
  failure = new StorageUnavailable('the disk is gone');
  expect((await exchange(url, 'GET', '/livez', {})).status).toBe(200);
  const ready = await exchange(url, 'GET', '/readyz', {});
  expect(ready.status).toBe(503);
  expect(ready.body).toMatchObject({ status: 'unavailable', checks: { database: 'failed' } });
});
