// The thread that reads slow lists keeps the prepared statements of only a few of them.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { LongReads } from '../../../src/storage/sqlite/long-reads.ts';
import { defineStatement, query } from '../../../src/storage/statement.ts';
import { reportProof } from '../../oracle/proof.ts';

test('frees the memory used by hundreds of different lists', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'long-reads-'));
  const path = join(folder, 'content.db');
  new DatabaseSync(path).close();
  const reads = new LongReads(path);
  const columns = Array.from({ length: 800 }, (_, index) => `rootpage + ${index}`).join();
  const readNew = async (from: number, to: number): Promise<void> => {
    for (let no = from; no < to; no += 1) {
      const statement = defineStatement(() => sql.raw(`select ${no}, ${columns} from sqlite_schema`));
      await reads.read(() => query(statement), 'somebody');
    }
  };
  await readNew(0, 50);
  const before = process.memoryUsage.rss();
  await readNew(50, 300);
  const grownMb = (process.memoryUsage.rss() - before) / 1024 / 1024;
  reportProof(`250 different lists: the process grew by ${grownMb.toFixed(1)} MB`);
  expect(grownMb).toBeLessThan(30);
  await reads.close();
  rmSync(folder, { recursive: true });
});
