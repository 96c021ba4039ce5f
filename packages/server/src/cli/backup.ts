import { existsSync, realpathSync, statSync } from 'node:fs';
import { mkdir, truncate } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { formatBytes } from '../doctor/check.ts';
import type { AssetsLocation } from '../files/assets-url.ts';
import type { CopiedFiles } from '../files/copy-files.ts';
import type { FileStore } from '../files/file-store.ts';
import { PROGRAM } from '../program-name.ts';
import type { DatabaseUrl, Settings } from '../settings.ts';
import { CommandFailure } from './command-failure.ts';
import { countFiles, describeCopied, describeLost, refuseSameStore } from './file-copies.ts';
import { addExamples } from './help-text.ts';
import { printJson, printText } from './print-result.ts';
import { readServiceSettings } from './read-service-settings.ts';
import { writeNewFile } from './write-new-file.ts';

interface BackupFlags {
  readonly withAssets?: true;
  readonly force?: true;
  readonly json?: true;
}

export function defineBackup(program: Command): void {
  const command = program
    .command('backup')
    .summary('back up the embedded database while the service is running')
    .description(
      'Copies the embedded database to a file, with all sites, users, keys and versions. The service can keep running: ' +
        'the copy is a consistent snapshot, and is checked before it gets its final name. To restore it, stop the service, ' +
        'replace the database with the file, and delete the -wal and -shm files next to the database.\n\n' +
        'With --with-assets, it writes a folder instead, with galley.db and, in assets, all uploaded files. It skips files ' +
        'that the folder already contains, so you can run it again to resume it or to update the folder.',
    )
    .argument('<path>', 'file to write, or folder with --with-assets; the database appears only when it is complete')
    .option('--with-assets', 'back up the uploaded files too')
    .option('--force', 'replace an existing backup of the database')
    .option('--json', 'print a summary as JSON')
    .action(runBackup);
  addExamples(command, [
    ['Today’s backup', `${PROGRAM} backup backups/$(date +%F).db`],
    ['The database and the uploaded files', `${PROGRAM} backup --with-assets backups/$(date +%F)`],
    ['Check a backup', `GALLEY_DATABASE_URL=sqlite:backups/2026-11-15.db ${PROGRAM} doctor`],
  ]);
}

async function runBackup(path: string, flags: BackupFlags, command: Command): Promise<void> {
  if (path === '') command.error('error: the file name is empty');
  const isForced = flags.force === true;
  if (flags.withAssets) return runBackupWithAssets(path, isForced, flags.json === true);
  const { database, bytes } = await backUp(path, isForced);
  if (flags.json) return printJson({ file: path, database, bytes });
  printText(`Backed up ${database} to ${path}: ${formatBytes(bytes)}.`);
}

async function runBackupWithAssets(folder: string, isForced: boolean, isJson: boolean): Promise<void> {
  const { database, bytes, assets, store } = await backUpWithAssets(folder, isForced);
  if (isJson) printJson({ folder, database, bytes, assets: describeCopied(assets) });
  else {
    const files = `${countFiles(assets.files)} (${formatBytes(assets.bytes)}, ${assets.copied} of them new)`;
    printText(`Backed up ${database} (${formatBytes(bytes)}) and ${files} to ${folder}.`);
  }
  const lost = describeLost(assets, store);
  if (lost !== undefined) throw new CommandFailure(`${lost}\nEverything else was backed up.`);
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
  const { database } = await findDatabase();
  refusePlace(path, database);
  return writeNewFile(path, { isForced, mode: MODE }, async (temporaryPath) => {
    await copyDatabase(database, path, temporaryPath);
    return { database, bytes: statSync(temporaryPath).size };
  });
}

interface Source {
  readonly database: string;
  readonly settings: Settings;
}

async function findDatabase(): Promise<Source> {
  const { refuseMissingDatabase } = await import('./work.ts');
  const settings = readServiceSettings();
  const { databaseUrl } = settings;
  if (databaseUrl.engine === 'postgres') {
    throw new CommandFailure(
      'The database is PostgreSQL. Back it up with its own tool: pg_dump --format=custom --file=FILE DATABASE_URL\n' +
        `To back up the uploaded files: ${PROGRAM} copy-assets --to file:FOLDER`,
    );
  }
  refuseMissingDatabase(databaseUrl);
  return { database: databaseUrl.path, settings };
}

async function copyDatabase(database: string, path: string, temporaryPath: string): Promise<void> {
  const { backUpSqlite, startProgress } = await import('./work.ts');
  const progress = startProgress(path, PROGRESS_STEPS);
  try {
    await backUpSqlite(database, temporaryPath, (share) => progress.move(share * PROGRESS_STEPS));
  } finally {
    progress.end();
  }
}

interface FullSummary extends BackupSummary {
  readonly assets: CopiedFiles;
  /** The address of the store that was copied. */
  readonly store: string;
}

const FOLDER_MODE = 0o700;
const MOST_ATTEMPTS = 3;

/**
 * The backup has every file that its database refers to. Files can be removed from the store while they are being copied, so almost all
 * files are copied before the database, and only the newest ones after it. If one of the newest files is removed before it is copied, the
 * database is copied again.
 */
async function backUpWithAssets(folder: string, isForced: boolean): Promise<FullSummary> {
  const { database, settings } = await findDatabase();
  const path = join(folder, 'galley.db');
  const location: AssetsLocation = { kind: 'folder', path: join(folder, 'assets') };
  refuseFile(folder);
  refusePlace(path, database);
  refuseSameStore(settings.assetsUrl, location);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const { findOldestRestorable, openFileStore } = await import('./work.ts');
  const source = await openFileStore(settings.assetsUrl, { isOnlyInspected: true });
  const target = await openFileStore(location);
  const stores = { source, target, since: findOldestRestorable(Date.now(), settings.assetsKeepDays) };
  try {
    return await writeNewFile(path, { isForced, mode: MODE }, async (temporaryPath) => {
      let copied = 0;
      let copiedBytes = 0;
      for (let attempt = 1; ; attempt += 1) {
        const before = await copyFilesOf(database, stores);
        await truncate(temporaryPath);
        await copyDatabase(database, path, temporaryPath);
        const after = await copyFilesOf(temporaryPath, stores);
        copied += before.copied + after.copied;
        copiedBytes += before.copiedBytes + after.copiedBytes;
        if (after.missing.total > before.missing.total && attempt < MOST_ATTEMPTS) continue;
        const assets = { ...after, copied, copiedBytes };
        return { database, bytes: statSync(temporaryPath).size, assets, store: source.address };
      }
    });
  } finally {
    await source.close();
    await target.close();
  }
}

interface Stores {
  readonly source: FileStore;
  readonly target: FileStore;
  readonly since: number;
}

async function copyFilesOf(database: string, { source, target, since }: Stores): Promise<CopiedFiles> {
  const { copyFiles, readFileRecords, startProgress } = await import('./work.ts');
  const databaseUrl: DatabaseUrl = { engine: 'sqlite', path: database };
  return readFileRecords({ databaseUrl, since }, async ({ files, total }) => {
    const progress = startProgress(target.address, total);
    try {
      return await copyFiles(source, target, files, { onProgress: progress.move });
    } finally {
      progress.end();
    }
  });
}

function refuseFile(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new CommandFailure(`${folder} is a file. With --with-assets, choose a folder.`);
  }
}

function refusePlace(path: string, database: string): void {
  if (findRealPath(path) === findRealPath(database)) {
    throw new CommandFailure(`${path} is the database itself. Choose another file.`);
  }
  // SQLite would treat this file as part of the backup.
  const companion = COMPANIONS.map((ending) => `${path}${ending}`).find(existsSync);
  if (companion !== undefined) {
    throw new CommandFailure(
      `${companion} already exists: another process may be using a database with this name. Choose another file.`,
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
