// Checks the database: the file's permissions, the free space on its disk, whether it is damaged, and whether its schema matches this
// release.

import { constants, type Stats, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { findFolder, isAllowed } from '../files/file-access.ts';
import { PROGRAM } from '../program-name.ts';
import {
  type Consistency,
  type FileInspection,
  type ServerInspection,
  selectConsistency,
} from '../storage/inspection.ts';
import { SCHEMA_VERSION, selectCurrentVersion } from '../storage/migrations.ts';
import { type Check, type CheckParts, formatBytes, ok, problem, warn } from './check.ts';

const LEAST_FREE = 64_000_000;
const ROOM_TO_GROW = 512_000_000;
const OTHERS_MAY_ENTER = 0o011;
const OTHERS_MAY_READ = 0o044;

export interface DatabaseFileChecks {
  readonly checks: readonly Check[];
  readonly canBeOpened: boolean;
}

export function checkDatabaseFile(path: string): DatabaseFileChecks {
  const check = (name: string, parts: CheckParts): Check => ({ group: 'Database', name, ...parts });
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { checks: [check('file', checkMissing(path))], canBeOpened: false };
  if (!stats.isFile()) {
    const parts = problem(
      `${path} is not a file`,
      'Set GALLEY_DATABASE_URL to sqlite:PATH, where PATH is the path of a file.',
    );
    return { checks: [check('file', parts)], canBeOpened: false };
  }
  const permissions = checkPermissions(path, stats);
  // The latest writes may still be in the write-ahead log.
  const size = stats.size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  return {
    checks: [
      check('file', ok(`${path}, ${formatBytes(size)}`)),
      check('permissions', permissions),
      check('free space', checkFreeSpace(path, size)),
    ],
    canBeOpened: permissions.status !== 'problem',
  };
}

function checkMissing(path: string): CheckParts {
  const folder = findFolder(dirname(resolve(path)));
  if (!isAllowed(folder, constants.W_OK | constants.X_OK)) {
    return problem(
      `${path} does not exist, and cannot be created in ${folder}`,
      'Give the service write access to the folder, or set GALLEY_DATABASE_URL to a file in another folder.',
    );
  }
  const advice =
    'Starting the service creates it. If it should already exist, check the current folder and GALLEY_DATABASE_URL.';
  return warn(`${path} does not exist yet`, advice);
}

function checkPermissions(path: string, stats: Stats): CheckParts {
  const folder = dirname(path);
  if (!isAllowed(path, constants.R_OK | constants.W_OK)) {
    return problem(`this user cannot read and write ${path}`, `Run as the owner of the file, or: chown $USER ${path}`);
  }
  if (!isAllowed(folder, constants.W_OK | constants.X_OK)) {
    return problem(
      `this user cannot write to ${folder}`,
      'SQLite keeps files next to the database, so it needs write access.',
    );
  }
  const canOthersEnter = (statSync(folder).mode & OTHERS_MAY_ENTER) !== 0;
  if (canOthersEnter && (stats.mode & OTHERS_MAY_READ) !== 0) {
    return warn(
      'other users on this machine can read the database',
      `It contains drafts and hashes: chmod 600 ${path}`,
    );
  }
  return ok('only this user can read and write it');
}

/** @param size the size of the database */
function checkFreeSpace(path: string, size: number): CheckParts {
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  if (free < LEAST_FREE)
    return problem(`${formatBytes(free)} left on the disk`, 'Free up some space. Until then, nothing can be saved.');
  if (free < size + ROOM_TO_GROW) {
    return warn(
      `${formatBytes(free)} left on the disk`,
      'Free up some space. Otherwise a backup on the same disk may not fit.',
    );
  }
  return ok(`${formatBytes(free)} left on the disk`);
}

export interface DatabaseChecks {
  readonly checks: readonly Check[];
  /** Undefined if the schema has a different version. */
  readonly counts: Consistency | undefined;
}

/** A running service would have run the scheduled action long ago. */
export const LATE_MS = 60_000;
const RESTORE = `Restore the newest backup that passes this check: GALLEY_DATABASE_URL=sqlite:BACKUP ${PROGRAM} doctor`;

export function checkDatabase(inspection: FileInspection, now: number): DatabaseChecks {
  const check = (name: string, parts: CheckParts): Check => ({ group: 'Database', name, ...parts });
  const damage = inspection.findDamage();
  const integrity = damage === undefined ? ok('no damage found') : problem(`damaged: ${damage}`, RESTORE);
  const { parts: schema, isCurrent } = checkSchema(inspection);
  const checks = [
    check('integrity', integrity),
    check('references', checkReferences(inspection, damage)),
    check('schema', schema),
    check('journal', checkJournal(inspection.journalMode)),
  ];
  const isReadable = isCurrent && damage === undefined;
  return { checks, counts: isReadable ? inspection.read(selectConsistency(now, now - LATE_MS)) : undefined };
}

function checkReferences(inspection: FileInspection, damage: string | undefined): CheckParts {
  if (damage !== undefined) return warn('not checked, because the file is damaged', RESTORE);
  const count = inspection.countDeadReferences();
  if (count === 0) return ok('no row refers to a missing row');
  return problem(count === 1 ? '1 row refers to a missing row' : `${count} rows refer to missing rows`, RESTORE);
}

function checkSchema(inspection: FileInspection): { readonly parts: CheckParts; readonly isCurrent: boolean } {
  const version = readVersion(inspection);
  if (version === undefined) {
    const parts = problem(
      'this is not a Galley database, or it is empty',
      'Set GALLEY_DATABASE_URL to the right file.',
    );
    return { parts, isCurrent: false };
  }
  return describeVersion(version, `${PROGRAM} backup FILE`);
}

/** @param backup the command that makes a backup */
export function describeVersion(
  version: number,
  backup: string,
): { readonly parts: CheckParts; readonly isCurrent: boolean } {
  if (version === SCHEMA_VERSION) return { parts: ok(`version ${version}, current`), isCurrent: true };
  const message = `version ${version}; this release uses ${SCHEMA_VERSION}`;
  const parts =
    version > SCHEMA_VERSION
      ? problem(message, 'Use the release that wrote it, or a newer one.')
      : warn(message, `Starting the service upgrades it. Make a backup first: ${backup}`);
  return { parts, isCurrent: false };
}

/** Returns undefined if there is no version table. */
function readVersion(inspection: FileInspection): number | undefined {
  try {
    return inspection.read(selectCurrentVersion());
  } catch {
    return undefined;
  }
}

function checkJournal(mode: string): CheckParts {
  return ok(mode === 'wal' ? 'write-ahead log' : `${mode}; the next start will turn on the write-ahead log`);
}

const OLDEST_VERSION = 15;

export interface PostgresChecks {
  readonly checks: readonly Check[];
  /** Undefined if the schema has a different version. */
  readonly counts: Consistency | undefined;
}

export async function checkPostgres(inspection: ServerInspection, now: number): Promise<PostgresChecks> {
  const check = (name: string, parts: CheckParts): Check => ({ group: 'Database', name, ...parts });
  const server = [
    check('opening', ok(`${inspection.place} can be reached`)),
    check('server', checkServer(inspection)),
    check('encoding', checkEncoding(inspection)),
  ];
  if (!inspection.hasSchema) {
    const parts = warn(
      'there is no schema yet',
      'Starting the service creates it. If it should already exist, check the URL.',
    );
    return { checks: [...server, check('schema', parts)], counts: undefined };
  }
  if (inspection.hasUnfinishedCopy) {
    const parts = problem(
      'it contains an unfinished copy, so no service can open it',
      'Run galley migrate-to again, with the embedded database as GALLEY_DATABASE_URL.',
    );
    return { checks: [...server, check('schema', parts)], counts: undefined };
  }
  const { parts, isCurrent } = describeVersion(await inspection.read(selectCurrentVersion()), 'pg_dump');
  const counts = isCurrent ? await inspection.read(selectConsistency(now, now - LATE_MS)) : undefined;
  return { checks: [...server, check('schema', parts)], counts };
}

function checkServer({ serverVersion }: ServerInspection): CheckParts {
  if (Number.parseInt(serverVersion, 10) >= OLDEST_VERSION) return ok(`PostgreSQL ${serverVersion}`);
  return problem(`PostgreSQL ${serverVersion} is too old`, `Use PostgreSQL ${OLDEST_VERSION} or newer.`);
}

function checkEncoding({ encoding }: ServerInspection): CheckParts {
  if (encoding === 'UTF8') return ok('UTF8');
  return problem(`it is ${encoding}`, 'Create the database again: create database … encoding UTF8 template template0');
}
