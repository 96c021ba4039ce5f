// While another process holds the database's write lock, the duration of a rejected sign-in reveals nothing to a stranger. In about half of
// all comparisons, an attempt with a known email takes longer than one with an unknown email. A slow machine slows down both, so the share
// stays the same.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres } from '../../../../../scripts/testing/postgres-server.ts';
import { openStorage } from '../../../src/open-storage.ts';
import { type Manager, startManager } from '../../management/manager.ts';
import { reportProof } from '../../oracle/proof.ts';
import { createSqliteDatabase, type TestDatabase } from '../../support/test-database.ts';

/** How long a request that needs the lock waits for it. */
const PATIENCE_MS = 3000;
const USERS = 4;
/** The number of attempts per account before further ones are delayed. */
const TRIES_AT_ONCE = 5;
/** The share of 20 × 20 comparisons falls outside this range by chance once in 100,000 runs. */
const LEAST_SHARE = 0.08;
const MOST_SHARE = 0.92;

async function createPostgresDatabase(): Promise<TestDatabase> {
  const server = await startPostgres();
  return { url: { engine: 'postgres', url: server.url }, remove: () => server.stop() };
}

describe.each([
  ['SQLite', createSqliteDatabase],
  ['PostgreSQL', createPostgresDatabase],
])('on %s, while the write lock is held', (name, openDatabase) => {
  const held = new AsyncDisposableStack();
  let manager: Manager;

  beforeAll(async () => {
    const database = await openDatabase();
    held.defer(() => database.remove());
    const createDatabase = async () => ({ url: database.url, remove: async () => {} });
    const storage = { patience: { usualMs: PATIENCE_MS, importMs: 0 } };
    manager = await startManager({ GALLEY_TRUST_PROXY: 'true' }, { createDatabase, storage });
    held.defer(() => manager.close());
    for (let no = 0; no < USERS; no++) {
      const body = { email: nameKnown(no), name: `Person ${no}`, role: 'owner', password: 'correct horse battery' };
      await manager.expectOk('POST', '/users', body);
    }
    // Holds the lock as another process would.
    const other = await openStorage(database.url, Date.now());
    held.defer(() => other.close());
    const entered = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const holding = other.transaction(() => {
      entered.resolve();
      return gate.promise;
    });
    held.defer(() => {
      gate.resolve();
      return holding;
    });
    await entered.promise;
  });

  afterAll(() => held.disposeAsync());

  let tries = 0;

  async function measure(email: string): Promise<number> {
    tries += 1;
    const startedAt = performance.now();
    const response = await fetch(`${manager.service.url}/manage/v1/session`, {
      method: 'POST',
      // Each attempt comes from a different address, so none is rate-limited.
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${tries}` },
      body: JSON.stringify({ email, password: 'a wrong password' }),
    });
    expect(await response.json()).toMatchObject({ code: 'sign_in_failed' });
    return performance.now() - startedAt;
  }

  test('a stranger cannot distinguish known from unknown emails by response time', async () => {
    // The first attempts in a process are slower than all others.
    await measure('nobody@else.example');
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let no = 0; no < USERS; no++) {
      for (let round = 0; round < TRIES_AT_ONCE; round++) {
        // The two kinds of attempts take turns going first.
        const isKnownFirst = (no + round) % 2 === 0;
        if (isKnownFirst) known.push(await measure(nameKnown(no)));
        unknown.push(await measure(nameUnknown(no)));
        if (!isKnownFirst) known.push(await measure(nameKnown(no)));
      }
    }
    const share = findShareOfLonger(known, unknown);
    reportProof(`sign-ins on ${name}: known emails took longer in ${(100 * share).toFixed()}% of all comparisons`);
    expect(share).toBeGreaterThan(LEAST_SHARE);
    expect(share).toBeLessThan(MOST_SHARE);
  });
});

const nameKnown = (no: number): string => `person${no}@known.example`;
const nameUnknown = (no: number): string => `person${no}@other.example`;

/** The share of all comparisons in which one of `these` took longer. */
function findShareOfLonger(these: readonly number[], those: readonly number[]): number {
  const longer = these.map((one) => those.filter((other) => one > other).length);
  return longer.reduce((sum, count) => sum + count, 0) / (these.length * those.length);
}
