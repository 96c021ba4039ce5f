// A fresh embedded database that contains the small site. Tests import into it and inspect it.

import { randomUUIDv7 } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BundleRefusal, formatFinding } from '../../src/bundle/bundle-report.ts';
import { type ImportSummary, importBundle } from '../../src/bundle/import-bundle.ts';
import { selectConsistency } from '../../src/storage/inspection.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { makeFolder } from '../support/galley-command.ts';
import { siteRecord, toLines, typeRecord } from '../support/small-site.ts';

export async function openImportDatabase() {
  const folder = await makeFolder();
  const path = join(folder.path, 'galley.db');
  const storage = await openSqlite(path, Date.now());

  async function importAll(text: string | Uint8Array): Promise<ImportSummary> {
    const file = join(folder.path, `${randomUUIDv7()}.ndjson`);
    await writeFile(file, text);
    const options = { now: Date.now(), newUuid: randomUUIDv7, onProgress: () => {} };
    return importBundle(storage, file, options);
  }

  const importText = async (text: string | Uint8Array): Promise<number> => (await importAll(text)).changed;

  /** The number of changed records. */
  const importRecords = (...records: readonly object[]): Promise<number> => importText(toLines(records));

  await importRecords({ ...siteRecord(), languages: ['en', 'fr', 'de'] }, typeRecord());
  return {
    importAll,
    importText,
    importRecords,
    /** All errors that the import reports, as lines of the form `LINE: message`. Throws for any other failure. */
    async refuse(...records: readonly object[]): Promise<string> {
      const before = dumpDatabase(path);
      const refusal = await importRecords(...records).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (!(refusal instanceof BundleRefusal)) throw refusal ?? new Error('The bundle was imported');
      if (JSON.stringify(dumpDatabase(path)) !== JSON.stringify(before))
        throw new Error('The rejected bundle left data behind');
      return refusal.faults.map((fault) => `${fault.line}: ${formatFinding(fault)}`).join('\n');
    },
    /** The value of a column for each content object, read from all three tables: `x`, or `x|y` if the tables differ. */
    column(name: 'translation_group' | 'slug'): Record<string, string> {
      const tables = dumpDatabase(path);
      const found = new Map<string, Set<string>>();
      for (const table of ['contents', 'published_contents', 'preview_contents']) {
        for (const row of tables[table] ?? []) {
          const { id, [name]: value } = Object(row);
          found.set(id, (found.get(id) ?? new Set()).add(value));
        }
      }
      return Object.fromEntries([...found].sort().map(([id, values]) => [id, [...values].join('|')]));
    },
    /** The number of inconsistencies between the tables. */
    async countContradictions(): Promise<number> {
      const found = await storage.read(selectConsistency(0, 0));
      const { published_missing, published_extra, preview_wrong, versions_missing, values_orphaned, counts_wrong } =
        found;
      return published_missing + published_extra + preview_wrong + versions_missing + values_orphaned + counts_wrong;
    },
    async [Symbol.asyncDispose]() {
      await storage.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
