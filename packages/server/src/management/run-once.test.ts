import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAIN_ACCOUNT_NO } from '../storage/accounts/accounts.ts';
import { insertCall, selectCall } from '../storage/accounts/idempotent-calls.ts';
import { openSqlite } from '../storage/sqlite/open-sqlite.ts';
import type { Storage } from '../storage/storage.ts';
import { ExpiredCalls } from './run-once.ts';

const START = Date.UTC(2026, 0, 31, 8);
const HOUR = 3_600_000;

let folder: string;
let storage: Storage;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-expired-'));
  storage = await openSqlite(join(folder, 'galley.db'), START);
});

afterEach(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

function nameCall(keyHash: string) {
  return { accountNo: MAIN_ACCOUNT_NO, actorId: 'm_ada', keyHash };
}

function keepCall(keyHash: string, madeAt: number): Promise<void> {
  const call = { digest: '', status: 201, etag: null, body: '{"name":"A draft"}', isKept: true, madeAt };
  return storage.writeUnseen(insertCall(nameCall(keyHash), call, 0));
}

async function isStored(keyHash: string): Promise<boolean> {
  return (await storage.read(selectCall(nameCall(keyHash), 0))) !== undefined;
}

test('deletes stored responses at startup if they are older than 24 hours', async () => {
  await keepCall('old', START - 24 * HOUR);
  await keepCall('young', START - 23 * HOUR);
  await new ExpiredCalls({ storage, now: () => START }, pino({ level: 'silent' })).close();
  expect([await isStored('old'), await isStored('young')]).toEqual([false, true]);
});

test('keeps deleting expired responses even if no further calls are made', async () => {
  await keepCall('young', START - 23 * HOUR);
  let now = START;
  const expired = new ExpiredCalls({ storage, now: () => now }, pino({ level: 'silent' }), 5);
  expect(await isStored('young')).toBe(true);
  now += HOUR;
  await expect.poll(() => isStored('young')).toBe(false);
  await expired.close();
});
