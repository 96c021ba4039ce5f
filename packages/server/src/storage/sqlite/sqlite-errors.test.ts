import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { DatabaseUnusable, OutcomeUnknown, StorageFault, StorageUnavailable } from '../engine.ts';
import { translateCommitError, translateSqliteError } from './sqlite-errors.ts';

function fail(errcode: number): Error {
  return Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode });
}

test.each([
  [13, 'full'],
  [8, 'read-only'],
  [1032, 'read-only'],
  [10, 'failing'],
  [778, 'failing'],
  [4874, 'failing'],
  [14, 'failing'],
])('treats SQLite error %i as a fault that somebody must fix: %s', (code, obstacle) => {
  const fault = translateSqliteError(fail(code));
  expect(fault).toBeInstanceOf(StorageFault);
  expect(fault).toMatchObject({ obstacle, message: `disk I/O error (SQLite error ${code})` });
});

test('does not treat a lock held by another connection as a fault', () => {
  const busy = translateSqliteError(fail(5));
  expect(busy).toBeInstanceOf(StorageUnavailable);
  expect(busy).not.toBeInstanceOf(StorageFault);
});

test('reports an unknown outcome only for a commit that failed to reach the disk', () => {
  const unknown = translateCommitError(translateSqliteError(fail(1034)));
  expect(unknown).toBeInstanceOf(OutcomeUnknown);
  expect(unknown).toMatchObject({
    message: 'disk I/O error (SQLite error 1034)',
    fault: { obstacle: 'failing', message: 'disk I/O error (SQLite error 1034)' },
  });
  for (const code of [13, 778, 5]) {
    expect(translateCommitError(translateSqliteError(fail(code)))).not.toBeInstanceOf(OutcomeUnknown);
  }
});

test('reports a damaged file with its error code, and not as an outage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'galley-errors-'));
  try {
    writeFileSync(join(folder, 'broken.db'), 'This is not a database. '.repeat(1000));
    const database = new DatabaseSync(join(folder, 'broken.db'));
    let error: unknown;
    try {
      database.exec('select * from sqlite_schema');
    } catch (thrown) {
      error = translateSqliteError(thrown);
    }
    expect(error).toBeInstanceOf(DatabaseUnusable);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^The database file is damaged: .*\(SQLite error 26\)\.$/),
    });
    expect(error).not.toBeInstanceOf(StorageUnavailable);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
