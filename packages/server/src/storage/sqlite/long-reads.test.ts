import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { StorageUnavailable } from '../engine.ts';
import { defineStatement, type Procedure, query } from '../statement.ts';
import { LongReads } from './long-reads.ts';

const one = defineStatement(() => sql`select 1 as found`);
/** A row of 80 MB, more than the thread's memory limit allows. */
const huge = defineStatement(
  () => sql`select ${sql.join(Array.from({ length: 80 }, () => sql.raw('hex(zeroblob(500000))')))}`,
);

let folder: string;
let path: string;

beforeAll(() => {
  // No list takes too long, however slow the machine is.
  vi.useFakeTimers({ toFake: ['performance'] });
  folder = mkdtempSync(join(tmpdir(), 'long-reads-'));
  path = join(folder, 'content.db');
  new DatabaseSync(path).close();
});

afterAll(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const readOne = (): Procedure<readonly unknown[]> => query(one);

test('reports that the reader thread ran out of memory, and starts a new one for the next list', async () => {
  const reads = new LongReads(path);
  await expect(reads.read(() => query(huge), 'somebody')).rejects.toMatchObject({
    obstacle: 'thread',
    cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' },
  });
  expect(await reads.read(readOne, 'somebody')).toEqual([{ found: 1 }]);
  await reads.close();
});

test('returns all rows of a list that is too large for one message', async () => {
  const reads = new LongReads(path);
  const numbers = sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1000)`;
  const long = defineStatement(() => sql`${numbers} select n, hex(zeroblob(500)) as text from numbers order by n`);
  const rows = await reads.read(() => query(long), 'somebody');
  expect(rows).toEqual(Array.from({ length: 1000 }, (_, index) => ({ n: index + 1, text: '0'.repeat(1000) })));
  await reads.close();
});

test('refuses a list if the reader thread ends before the list is ready', async () => {
  const reads = new LongReads(path);
  const list = expect(reads.read(readOne, 'somebody')).rejects.toThrow(StorageUnavailable);
  await setImmediate();
  await reads.close();
  await list;
});
