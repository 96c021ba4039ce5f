import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { formatBytes } from '../doctor/check.ts';
import { PROGRAM } from '../program-name.ts';
import { CommandFailure } from './command-failure.ts';
import { addExamples } from './help-text.ts';
import { printJson, printText } from './print-result.ts';
import { readServiceSettings } from './read-service-settings.ts';
import { writeNewFile } from './write-new-file.ts';

interface BackupFlags {
  readonly force?: true;
  readonly json?: true;
}

export function defineBackup(program: Command): void {
  const command = program
    .command('backup')
    .summary('back up the embedded database while the service runs')
    .description(
      'Copies the embedded database to a file, with all sites, users, keys and versions. The service can keep running: ' +
        'the copy is a consistent snapshot, and is checked before it gets its final name. To restore it, stop the service, ' +
        'replace the database with the file, and delete the -wal and -shm files next to the database.',
    )
    .argument('<file>', 'file to write; it appears only when it is complete')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print a summary as JSON')
    .action(runBackup);
  addExamples(command, [
    ['Today’s backup', `${PROGRAM} backup backups/$(date +%F).db`],
    ['Check a backup', `GALLEY_DATABASE_URL=sqlite:backups/2026-11-15.db ${PROGRAM} doctor`],
  ]);
}

async function runBackup(file: string, flags: BackupFlags, command: Command): Promise<void> {
  if (file === '') command.error('error: the file name is empty');
  const { database, bytes } = await backUp(file, flags.force === true);
  if (flags.json) return printJson({ file, database, bytes });
  printText(`Backed up ${database} to ${file}: ${formatBytes(bytes)}.`);
}

interface BackupSummary {
  readonly database: string;
  readonly bytes: number;
}

/** Files that SQLite keeps next to an open database. */
const COMPANIONS = ['-wal', '-shm', '-journal'] as const;
const PROGRESS_STEPS = 1000;

/** The file contains hashes of keys and passwords, so only its owner may read it. */
const MODE = 0o600;

async function backUp(path: string, isForced: boolean): Promise<BackupSummary> {
  const { backUpSqlite, refuseMissingDatabase, startProgress } = await import('./work.ts');
  const { databaseUrl } = readServiceSettings();
  if (databaseUrl.engine === 'postgres') {
    throw new CommandFailure(
      'The database is PostgreSQL. Back it up with its own tool: pg_dump --format=custom --file=FILE DATABASE_URL',
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
    throw new CommandFailure(`${path} is the database itself. Choose another file.`);
  }
  // SQLite would treat this file as part of the backup.
  const companion = COMPANIONS.map((ending) => `${path}${ending}`).find(existsSync);
  if (companion !== undefined) {
    throw new CommandFailure(
      `${companion} exists: another process may be using a database with this name. Choose another file.`,
    );
  }
}

function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path;
  }
}
