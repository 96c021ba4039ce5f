import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backUpSqlite } from '../storage/sqlite/backup-sqlite.ts';
import { CommandFailure } from './command-failure.ts';
import { readServiceSettings } from './read-service-settings.ts';
import { startProgress } from './start-progress.ts';
import { refuseMissingDatabase } from './with-storage.ts';
import { writeNewFile } from './write-new-file.ts';

export interface BackupSummary {
  readonly database: string;
  readonly bytes: number;
}

/** The files that SQLite keeps beside a database in use. */
const COMPANIONS = ['-wal', '-shm', '-journal'] as const;
const PROGRESS_STEPS = 1000;

/** Hashes of keys and passwords are in it: the file is for its owner alone. */
const MODE = 0o600;

export async function backUp(path: string, isForced: boolean): Promise<BackupSummary> {
  const { databaseUrl } = readServiceSettings();
  if (databaseUrl.engine === 'postgres') {
    throw new CommandFailure(
      'The database is PostgreSQL, which has a tool of its own for this: pg_dump --format=custom --file=FILE DATABASE_URL',
    );
  }
  refuseMissingDatabase(databaseUrl);
  const database = databaseUrl.path;
  refusePlace(path, database);
  return writeNewFile(path, { isForced, mode: MODE }, async (temporaryPath) => {
    const progress = startProgress(path, PROGRESS_STEPS);
    try {
      await backUpSqlite(database, temporaryPath, (share) => progress.move(share * PROGRESS_STEPS));
    } finally {
      progress.end();
    }
    return { database, bytes: statSync(temporaryPath).size };
  });
}

function refusePlace(path: string, database: string): void {
  if (findRealPath(path) === findRealPath(database)) {
    throw new CommandFailure(`${path} is the database itself; name another file.`);
  }
  // What such a file holds would be taken for a part of the new one.
  const companion = COMPANIONS.map((ending) => `${path}${ending}`).find(existsSync);
  if (companion !== undefined) {
    throw new CommandFailure(`${companion} is there: something uses a database of that name. Name another file.`);
  }
}

function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path;
  }
}
