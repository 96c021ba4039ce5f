import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  deleteUser,
  insertUser,
  MAIN_ACCOUNT_NO,
  selectUserByEmail,
  type UserRow,
} from '../../storage/accounts/accounts.ts';
import { selectAuditEntries } from '../../storage/accounts/audit-entries.ts';
import { StorageUnavailable } from '../../storage/engine.ts';
import { openSqlite } from '../../storage/sqlite/open-sqlite.ts';
import type { Storage } from '../../storage/storage.ts';
import { FailedSignIns } from './failed-sign-ins.ts';

const START = Date.UTC(2026, 0, 31, 8);
const HOUR = 3_600_000;
const EMAIL = 'ada@example.com';

let folder: string;
let storage: Storage;
let failures: FailedSignIns;
let now = START;
let isReachable = true;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-failures-'));
  storage = await openSqlite(join(folder, 'galley.db'), START);
  now = START;
  isReachable = true;
  const writeUnseen: Storage['writeUnseen'] = (procedure) =>
    isReachable ? storage.writeUnseen(procedure) : Promise.reject(new StorageUnavailable('away'));
  failures = new FailedSignIns({ storage: { writeUnseen }, now: () => now, log: pino({ level: 'silent' }) });
});

afterEach(async () => {
  await failures.close();
  await storage.close();
  await rm(folder, { recursive: true });
});

async function createUser(): Promise<UserRow> {
  const names = { id: 'm_ada', email: EMAIL, emailKey: EMAIL, name: 'Ada', role: 'owner', passwordHash: '' } as const;
  await storage.transaction((transaction) =>
    transaction.run(insertUser({ ...names, accountNo: MAIN_ACCOUNT_NO, now: START })),
  );
  const user = await storage.read(selectUserByEmail(EMAIL));
  if (user === undefined) throw new Error('no user');
  return user;
}

const failAs = (user: UserRow, address = '203.0.113.7') =>
  failures.note({ email: user.email, user, reason: 'wrong password', address });
const failAsNobody = (email: string, address = '203.0.113.7') =>
  failures.note({ email, user: undefined, reason: 'unknown email', address });

/** Oldest first. */
async function readEntries() {
  const rows = await storage.read(selectAuditEntries(MAIN_ACCOUNT_NO, null, 1000));
  return rows
    .toReversed()
    .map(({ action, actor_id, address, details }) => [action, actor_id, address, JSON.parse(details ?? 'null')]);
}

test('writes the first failure from an address immediately, and later failures together at the end of the hour', async () => {
  const user = await createUser();
  failAs(user);
  const first = ['user.sign_in_failed', 'm_ada', '203.0.113.7', { reason: 'wrong password' }];
  await expect.poll(readEntries).toEqual([first]);
  for (let count = 0; count < 4; count++) failAs(user);
  now += HOUR;
  failAs(user);
  const rest = ['user.sign_in_failed', 'm_ada', '203.0.113.7', { reason: 'wrong password', count: 4 }];
  await expect.poll(readEntries).toEqual([first, rest, first]);
});

test('counts unknown emails without naming them', async () => {
  failAsNobody('one@example.com');
  await expect.poll(readEntries).toHaveLength(1);
  for (const email of ['one@example.com', 'ONE@example.com', 'two@example.com']) failAsNobody(email);
  await failures.close();
  const entries = await readEntries();
  expect(entries).toEqual([
    ['user.sign_in_unknown', null, '203.0.113.7', { reason: 'unknown email', emails: 1 }],
    ['user.sign_in_unknown', null, '203.0.113.7', { reason: 'unknown email', count: 3, emails: 2 }],
  ]);
  expect(JSON.stringify(entries)).not.toContain('@');
});

test('if failures cannot be written, tries again later and on shutdown', async () => {
  const user = await createUser();
  isReachable = false;
  for (let count = 0; count < 3; count++) failAs(user);
  await new Promise(setImmediate);
  isReachable = true;
  await failures.close();
  const counts = (await readEntries()).map(([, , , details]) => details.count ?? 1);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
});

test('counts each email once even if its failures could not be written at first', async () => {
  isReachable = false;
  for (const email of ['one@example.com', 'two@example.com']) failAsNobody(email);
  await new Promise(setImmediate);
  failAsNobody('two@example.com');
  await new Promise(setImmediate);
  isReachable = true;
  await failures.close();
  expect(await readEntries()).toEqual([
    ['user.sign_in_unknown', null, '203.0.113.7', { reason: 'unknown email', count: 3, emails: 2 }],
  ]);
});

test('counts every failure even if the database is not writable for hours', async () => {
  const user = await createUser();
  isReachable = false;
  for (let hour = 0; hour < 6; hour++) {
    for (let index = 0; index < 200; index++) failAsNobody(`${hour}@example.com`, `10.0.0.${index}`);
    failAs(user);
    await new Promise(setImmediate);
    now += HOUR;
  }
  isReachable = true;
  await failures.close();
  const entries = await storage.read(selectAuditEntries(MAIN_ACCOUNT_NO, null, 3000));
  expect(entries.length).toBeGreaterThanOrEqual(1000);
  expect(entries.length).toBeLessThanOrEqual(1003);
  const sum = (action: string) =>
    entries
      .filter((entry) => entry.action === action)
      .reduce((total, { details }) => total + (JSON.parse(details ?? '{}').count ?? 1), 0);
  expect([sum('user.sign_in_unknown'), sum('user.sign_in_failed')]).toEqual([1200, 6]);
});

test('writes at most a few hundred entries an hour, no matter how many addresses there are', async () => {
  for (let index = 0; index < 2000; index++) failAsNobody('nobody@example.com', `2001:db8:${index.toString(16)}::1`);
  for (let index = 0; index < 500; index++) failAsNobody('nobody@example.com', `2001:db8::${index.toString(16)}`);
  await failures.close();
  const entries = await readEntries();
  expect(entries.length).toBeLessThanOrEqual(204);
  const counts = entries.map(([, , , { count = 1 }]) => count);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2500);
  expect(entries.filter(([, , address]) => address === null).length).toBeGreaterThan(0);
});

test('writes nothing about a user who has since been deleted', async () => {
  const user = await createUser();
  isReachable = false;
  failAs(user);
  await new Promise(setImmediate);
  await storage.transaction((transaction) => transaction.run(deleteUser(user.no)));
  isReachable = true;
  await failures.close();
  expect(await readEntries()).toEqual([]);
});
