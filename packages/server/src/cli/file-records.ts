// Lists the uploaded files that a database needs, without changing the database, which may have an older schema or be a backup.

import type { StoredFile } from '../files/file-store.ts';
import type { DatabaseUrl } from '../settings.ts';
import { selectCurrentVersion } from '../storage/migrations.ts';
import { inspectPostgres } from '../storage/postgres/open-postgres.ts';
import { countRecordedFiles, readRecordedFiles } from '../storage/sites/asset-files.ts';
import { inspectSqlite } from '../storage/sqlite/open-sqlite.ts';
import type { Procedure } from '../storage/statement.ts';

export interface FileRecords {
  readonly total: number;
  /** Sorted by digest. */
  readonly files: AsyncIterable<StoredFile>;
}

export interface NeededFiles {
  readonly databaseUrl: DatabaseUrl;
  /** Files that were replaced earlier are not needed. */
  readonly since: number;
}

/** The first schema with uploaded files. */
const FIRST_VERSION = 13;

export async function readFileRecords<Outcome>(
  { databaseUrl, since }: NeededFiles,
  work: (records: FileRecords) => Promise<Outcome>,
): Promise<Outcome> {
  if (databaseUrl.engine === 'postgres') {
    return inspectPostgres(databaseUrl.url, async (inspection) => {
      if (!inspection.hasSchema) return work({ total: 0, files: listNothing() });
      return work(await openRecords((procedure) => inspection.read(procedure), since));
    });
  }
  const inspection = inspectSqlite(databaseUrl.path);
  try {
    return await work(await openRecords(async (procedure) => inspection.read(procedure), since));
  } finally {
    inspection.close();
  }
}

type Read = <Outcome>(procedure: Procedure<Outcome>) => Promise<Outcome>;

async function openRecords(read: Read, since: number): Promise<FileRecords> {
  if ((await read(selectCurrentVersion())) < FIRST_VERSION) return { total: 0, files: listNothing() };
  return { total: await read(countRecordedFiles()), files: listNeeded(read, since) };
}

export async function* listNeeded(read: Read, since: number): AsyncGenerator<StoredFile> {
  for await (const file of readRecordedFiles(read, since)) if (file.isNeeded) yield file;
}

async function* listNothing(): AsyncGenerator<StoredFile> {}
