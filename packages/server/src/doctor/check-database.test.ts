import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDatabaseFile } from './check-database.ts';

test('the size of a database includes its write-ahead log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'galley-doctor-'));
  const path = join(folder, 'galley.db');
  const readSize = () => checkDatabaseFile(path).checks.find(({ name }) => name === 'file')?.message;
  await writeFile(path, Buffer.alloc(8_000));
  expect(readSize()).toBe(`${path}, 8.0 kB`);
  await writeFile(`${path}-wal`, Buffer.alloc(92_000));
  expect(readSize()).toBe(`${path}, 100 kB`);
  await rm(folder, { recursive: true });
});
