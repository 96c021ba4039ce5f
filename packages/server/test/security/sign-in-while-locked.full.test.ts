// While another process holds the database's write lock, a stranger cannot find out which emails exist. Rejecting a wrong password does
// not need the lock; the failure is recorded later. proof/security/sign-in-time.proof.test.ts compares the times.

import type { AuditEntryBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage } from '../../src/open-storage.ts';
import { MAIN_ACCOUNT_NO } from '../../src/storage/accounts/accounts.ts';
import { type AuditEntryRow, selectAuditEntries } from '../../src/storage/accounts/audit-entries.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { openBrowser } from '../management/browser.ts';
import { type Answer, type Manager, startManager } from '../management/manager.ts';
import { createTestDatabase, ENGINES, type TestDatabase } from '../support/test-database.ts';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';
/** A request that needs the lock waits for it until the test releases it. */
const ENDLESS_MS = 3_600_000;
const TRIES = 2;

let database: TestDatabase;
let manager: Manager;
/** Holds the lock as another process would. */
let other: Storage;
let release: () => Promise<void>;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    database = await createTestDatabase(engine);
    const createDatabase = async () => ({ url: database.url, remove: async () => {} });
    manager = await startManager({}, { createDatabase, storage: { patience: { usualMs: ENDLESS_MS, importMs: 0 } } });
    await manager.expectOk('POST', '/users', { email: EMAIL, name: 'Ada', role: 'owner', password: PASSWORD });
    other = await openStorage(database.url, Date.now());
    const entered = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const held = other.transaction(() => {
      entered.resolve();
      return gate.promise;
    });
    await entered.promise;
    release = () => {
      gate.resolve();
      return held;
    };
  });

  afterAll(async () => {
    await other.close();
    await database.remove();
  });

  /** Returns only if the attempt does not wait for the lock. */
  const fail = (email: string): Promise<Answer> => openBrowser(manager).signIn(email, 'a wrong password');

  test('known and unknown emails are rejected identically, without waiting for the lock', async () => {
    for (let round = 0; round < TRIES; round++) {
      const [known, unknown] = [await fail(EMAIL), await fail('nobody@example.com')];
      expect([known.status, known.body]).toEqual([
        401,
        { message: 'The email address or password is incorrect.', code: 'sign_in_failed' },
      ]);
      expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    }
  });

  test('a sign-in with the right password waits for the lock, as every write does', async () => {
    let isAnswered = false;
    const waiting = openBrowser(manager)
      .signIn(EMAIL, PASSWORD)
      .finally(() => {
        isAnswered = true;
      });
    await fail('nobody@example.com');
    expect(isAnswered).toBe(false);
    await release();
    expect((await waiting).status).toBe(200);
  });

  test('every failed sign-in is in the audit log after a clean shutdown', async () => {
    await manager.close();
    const entries = await other.read(selectAuditEntries(MAIN_ACCOUNT_NO, null, 100));
    expect(countFailures(entries, 'user.sign_in_failed')).toBe(TRIES);
    expect(countFailures(entries, 'user.sign_in_unknown')).toBe(TRIES + 1);
    expect(JSON.stringify(entries)).not.toContain('nobody@');
  });
});

function countFailures(entries: readonly AuditEntryRow[], action: AuditEntryBody['action']): number {
  const counts = entries.filter((entry) => entry.action === action).map(({ details }) => readCount(details));
  return counts.reduce((sum, count) => sum + count, 0);
}

function readCount(details: string | null): number {
  const { count = 1 }: { count?: number } = JSON.parse(details ?? '{}');
  return count;
}
