// How an import by another process affects editors, schedules and readers.

import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage } from '../../src/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { postRecord, siteRecord, typeRecord } from '../support/small-site.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type Manager, startManager } from './manager.ts';

const HOUR_MS = 3_600_000;
const ENDLESS_MS = 600_000;
const CONTENT = '/sites/s_small/content/c_1';

let manager: Manager;
let database: TestDatabase;
/** A separate connection to the same database, like that of another process. */
let other: Storage;
/** The service's database timeouts. Each test sets how long a save waits for an import. */
const patience = { usualMs: 50, importMs: ENDLESS_MS };
/** How far ahead the service's clock is. */
let aheadMs = 0;
const lines: { readonly msg: string }[] = [];

beforeAll(async () => {
  const createDatabase = async (): Promise<TestDatabase> => {
    database = await createTestDatabase();
    return database;
  };
  const log = pino({}, { write: (text) => void lines.push(JSON.parse(text)) });
  manager = await startManager({}, { createDatabase, log, now: () => Date.now() + aheadMs, storage: { patience } });
  other = await openStorage(database.url, Date.now());
  await manager.service.importRecords([siteRecord(), typeRecord(), postRecord('c_1'), postRecord('c_2')]);
});

afterAll(async () => {
  await other.close();
  await manager.close();
});

async function holdImport(): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const held = other.transaction(
    () => {
      entered.resolve();
      return gate.promise;
    },
    { isImport: true },
  );
  await entered.promise;
  return () => {
    gate.resolve();
    return held;
  };
}

async function rename(name: string) {
  const { version } = await manager.expectOk<{ readonly version: number }>('GET', CONTENT);
  return manager.call('PUT', CONTENT, { body: { version, name } });
}

test('a save waits for the import and then succeeds; reads are not blocked', async () => {
  patience.importMs = ENDLESS_MS;
  const end = await holdImport();
  let isAnswered = false;
  const saving = rename('Saved after an import').finally(() => {
    isAnswered = true;
  });
  expect(await manager.read('s_small', '/c_1')).toMatchObject({ status: 200 });
  expect(await manager.call('GET', CONTENT)).toMatchObject({ status: 200 });
  expect((await fetch(`${manager.service.url}/livez`)).status).toBe(200);
  expect(isAnswered).toBe(false);
  await end();
  expect(await saving).toMatchObject({ status: 200, body: { name: 'Saved after an import' } });
});

test('a save that has waited too long is rejected with a message saying that an import is running', async () => {
  patience.importMs = 100;
  const end = await holdImport();
  const { status, headers, body } = await rename('Too late');
  expect({ status, body }).toEqual({
    status: 503,
    body: { message: 'An import is running. You can save changes once it has finished.', code: 'import_running' },
  });
  expect(headers.get('retry-after')).toBe('10');
  await end();
  expect(await manager.expectOk('GET', CONTENT)).toMatchObject({ name: 'Saved after an import' });
});

test('a schedule that is due during an import runs after the import, however long that takes', async () => {
  patience.importMs = 100;
  const schedule = { unpublish_at: new Date(Date.now() + HOUR_MS).toISOString() };
  await manager.expectOk('POST', '/sites/s_small/content/c_2/schedule', schedule);
  manager.service.startClock();
  const end = await holdImport();
  aheadMs = HOUR_MS;
  // The scheduler has timed out and has to try again.
  await expect.poll(() => lines.some(({ msg }) => msg.startsWith('schedules are on hold'))).toBe(true);
  expect(await manager.read('s_small', '/c_2')).toMatchObject({ status: 200 });
  await end();
  await expect.poll(async () => (await manager.read('s_small', '/c_2')).status).toBe(404);
});
