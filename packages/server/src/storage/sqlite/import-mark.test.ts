import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ImportMark } from './import-mark.ts';

test('leaves no file open if the mark cannot be set', () => {
  const folder = mkdtempSync(join(tmpdir(), 'import-mark-'));
  try {
    const database = join(folder, 'galley.db');
    writeFileSync(`${database}-import`, 'This is not a database. '.repeat(100));
    const openBefore = readdirSync('/dev/fd').length;
    expect(() => new ImportMark(database).set()).toThrow('not a database');
    expect(readdirSync('/dev/fd')).toHaveLength(openBefore);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
