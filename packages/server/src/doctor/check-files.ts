// Checks the store of uploaded files, and compares it with the records in the database. The comparison reads both in order, so memory
// use does not grow with the number of files.

import { constants, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { AssetsLocation } from '../files/assets-url.ts';
import { findFolder, isAllowed } from '../files/file-access.ts';
import { type FileStore, FileStoreError, type FileStoreErrorCode } from '../files/file-store.ts';
import { joinFiles } from '../files/join-files.ts';
import { openFileStore } from '../files/open-file-store.ts';
import { PROGRAM } from '../program-name.ts';
import {
  findOldestRestorable,
  readRecordedFiles,
  selectFileUsers,
  UNRECORDED_MS,
} from '../storage/sites/asset-files.ts';
import type { Procedure } from '../storage/statement.ts';
import { type Check, type CheckParts, formatBytes, ok, problem, warn } from './check.ts';

const LEAST_FREE = 64_000_000;
const SHOWN = 20;
const LOOKED_FOR = 100;

export type ReadDatabase = <Outcome>(procedure: Procedure<Outcome>) => Promise<Outcome>;

export interface FileSettings {
  readonly assetsUrl: AssetsLocation;
  readonly assetsKeepDays: number;
  readonly databaseUrl: { readonly engine: 'sqlite' | 'postgres' };
}

/** What `--fix` removes. */
export interface Removable {
  readonly files: number;
  readonly bytes: number;
  readonly leftOvers: number;
}

export interface FileChecks {
  readonly checks: readonly Check[];
  /** Undefined if the store was not compared with the records. */
  readonly removable: Removable | undefined;
}

const check = (name: string, parts: CheckParts): Check => ({ group: 'Files', name, ...parts });

export interface FileRecords {
  readonly read: ReadDatabase;
  /** Whether the database is a backup. If so, the store may have newer files, which the backup does not list. */
  readonly isBackup: boolean;
}

/** @param records undefined if the records cannot be read */
export async function checkFiles(
  settings: FileSettings,
  records: FileRecords | undefined,
  now: number,
): Promise<FileChecks> {
  const place = checkPlace(settings.assetsUrl);
  if (place?.status === 'problem') return { checks: [check('file store', place)], removable: undefined };
  const store = await openFileStore(settings.assetsUrl, { isOnlyInspected: true });
  try {
    if (place === undefined) await store.checkWriting();
    const found = place === undefined ? describeStore(settings, store) : warnIfShared(settings, store, place);
    const checks = [check('file store', found)];
    if (records === undefined) return { checks, removable: undefined };
    const { read, isBackup } = records;
    const since = findOldestRestorable(now, settings.assetsKeepDays);
    const compared = await compare(store, read, { since, before: new Date(now - UNRECORDED_MS) });
    const needed = check('asset files', await describeMissing(compared, read));
    if (isBackup) return { checks: [...checks, needed], removable: undefined };
    return {
      checks: [
        ...checks,
        needed,
        check('unused files', describeUnused(compared)),
        check('unfinished uploads', describeLeftOvers(compared)),
      ],
      removable: { ...compared.unused, leftOvers: compared.leftOvers },
    };
  } catch (error) {
    if (!(error instanceof FileStoreError)) throw error;
    const parts = problem(error.message.replace(/\.$/, ''), adviseStore(error.code, settings.assetsUrl));
    return { checks: [check('file store', parts)], removable: undefined };
  } finally {
    await store.close();
  }
}

/** Undefined if the location must be examined more closely. */
function checkPlace(location: AssetsLocation): CheckParts | undefined {
  if (location.kind === 'bucket') return undefined;
  const path = resolve(location.path);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return undefined;
  if (stats !== undefined) {
    return problem(
      `${path} is not a folder`,
      'Set GALLEY_ASSETS_URL to file:PATH, where PATH is the path of a folder.',
    );
  }
  const folder = findFolder(dirname(path));
  if (isAllowed(folder, constants.W_OK | constants.X_OK))
    return ok(`${path} does not exist yet; Galley will create it`);
  return problem(
    `${path} does not exist, and cannot be created in ${folder}`,
    'Give the service write access to the folder, or set GALLEY_ASSETS_URL to another one.',
  );
}

function describeStore(settings: FileSettings, store: FileStore): CheckParts {
  const { assetsUrl } = settings;
  const { address } = store;
  if (assetsUrl.kind === 'bucket') return ok(`${address} can be read and written`);
  const { bavail, bsize } = statfsSync(assetsUrl.path);
  const free = bavail * bsize;
  const message = `${address}, ${formatBytes(free)} left on the disk`;
  if (free < LEAST_FREE) return problem(message, 'Free up some space. Until then, nobody can upload files.');
  return warnIfShared(settings, store, ok(message));
}

function warnIfShared({ databaseUrl }: FileSettings, { address }: FileStore, parts: CheckParts): CheckParts {
  if (databaseUrl.engine === 'sqlite') return parts;
  return warn(
    `${address} is on this machine, but the database may be shared`,
    'If several nodes use this database, they need the same files: set GALLEY_ASSETS_URL to an S3 bucket, or to a folder that all of them share.',
  );
}

const BUCKET_ADVICE: Readonly<Record<FileStoreErrorCode, string>> = {
  unreachable: 'Check the network, and the endpoint and region in GALLEY_ASSETS_URL.',
  forbidden:
    'Check the credentials. They need s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject and s3:DeleteObject on its objects.',
  missing: 'Create the bucket, or correct GALLEY_ASSETS_URL.',
  full: 'Raise the bucket’s quota.',
  failed: 'Check the S3 service, and the endpoint and path_style in GALLEY_ASSETS_URL.',
};
const FOLDER_ADVICE: Readonly<Record<FileStoreErrorCode, string>> = {
  unreachable: 'Check the file system.',
  forbidden: 'Run as the owner of the folder, or give this user read and write access to everything in it.',
  missing: 'Correct GALLEY_ASSETS_URL, or mount the file system.',
  full: 'Free up some space. Until then, nobody can upload files.',
  failed: 'Check the disk.',
};

function adviseStore(code: FileStoreErrorCode, { kind }: AssetsLocation): string {
  return (kind === 'bucket' ? BUCKET_ADVICE : FOLDER_ADVICE)[code];
}

interface Comparison {
  readonly recorded: number;
  readonly bytes: number;
  /** `digests` contains only the first few. */
  readonly missing: { readonly files: number; readonly digests: readonly string[] };
  readonly unused: { readonly files: number; readonly bytes: number };
  readonly leftOvers: number;
}

interface Times {
  readonly since: number;
  readonly before: Date;
}

async function compare(store: FileStore, read: ReadDatabase, { since, before }: Times): Promise<Comparison> {
  const count = { recorded: 0, bytes: 0 };
  const unused = { files: 0, bytes: 0 };
  const missing = { files: 0, digests: [] as string[] };
  for await (const { recorded, stored } of joinFiles(readRecordedFiles(read, since), store.list())) {
    if (recorded !== undefined && stored !== undefined) {
      count.recorded += 1;
      count.bytes += stored.bytes;
    } else if (stored !== undefined) {
      if (stored.lastPut >= before) continue;
      unused.files += 1;
      unused.bytes += stored.bytes;
    } else if (recorded?.isNeeded) {
      // The list may be older than the record of a new upload, so we look again. If many files are missing, the cause is something else.
      if (missing.files < LOOKED_FOR && (await store.has(recorded.sha256))) continue;
      missing.files += 1;
      if (missing.digests.length < SHOWN) missing.digests.push(recorded.sha256);
    }
  }
  let leftOvers = 0;
  for await (const { lastChange } of store.listLeftOvers()) leftOvers += lastChange < before ? 1 : 0;
  for await (const { lastChange } of store.partial.list()) leftOvers += lastChange < before ? 1 : 0;
  return { ...count, missing, unused, leftOvers };
}

async function describeMissing({ recorded, bytes, missing }: Comparison, read: ReadDatabase): Promise<CheckParts> {
  if (missing.files === 0) return ok(`${count(recorded, 'file')}, ${formatBytes(bytes)}, all stored`);
  const names: string[] = [];
  for (const digest of missing.digests) {
    const users = await read(selectFileUsers(digest, SHOWN));
    names.push(...users.map(({ site, asset, name }) => `${site}/${asset} (${name})`));
  }
  const shown = [...new Set(names)].slice(0, SHOWN);
  const rest = missing.files > missing.digests.length || names.length > shown.length ? ' and more' : '';
  return problem(
    `${count(missing.files, 'file')} missing from the store: ${shown.join(', ')}${rest}`,
    `Copy them from a backup: ${PROGRAM} copy-assets --from file:BACKUP/assets. If there is none, replace the files in the panel.`,
  );
}

const FIX = `Remove them: ${PROGRAM} doctor --fix`;

function describeUnused({ unused: { files, bytes } }: Comparison): CheckParts {
  if (files === 0) return ok('every stored file belongs to an asset');
  return warn(`${count(files, 'stored file')} (${formatBytes(bytes)}) without an asset`, FIX);
}

function describeLeftOvers({ leftOvers }: Comparison): CheckParts {
  return leftOvers === 0 ? ok('none') : warn(`${count(leftOvers, 'part')} of abandoned uploads`, FIX);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
