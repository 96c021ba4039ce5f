// The file of the embedded database as the operating system sees it: there, ours to write, nobody else's to read, with
// room to grow.

import { accessSync, constants, existsSync, type Stats, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Check, type CheckParts, ok, problem, warn } from './check.ts';
import { formatBytes } from './format-bytes.ts';

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
    const parts = problem(`${path} is not a file`, 'Set GALLEY_DATABASE_URL to sqlite:PATH, with the path of a file.');
    return { checks: [check('file', parts)], canBeOpened: false };
  }
  const permissions = checkPermissions(path, stats);
  // What was written last may still be in the log alone.
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
      `${path} is not there, and may not be created in ${folder}`,
      'Give the service a folder that it may write to, or set GALLEY_DATABASE_URL to another one.',
    );
  }
  const advice =
    'The first start creates it. If there should be one: is this the right folder, and GALLEY_DATABASE_URL as meant?';
  return warn(`${path} is not there yet`, advice);
}

/** The nearest folder that is there. */
function findFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : findFolder(dirname(path));
}

function checkPermissions(path: string, stats: Stats): CheckParts {
  const folder = dirname(path);
  if (!isAllowed(path, constants.R_OK | constants.W_OK)) {
    return problem(
      `${path} may not be read and written by this user`,
      `Run as the owner of the file, or: chown $USER ${path}`,
    );
  }
  if (!isAllowed(folder, constants.W_OK | constants.X_OK)) {
    return problem(
      `${folder} may not be written to by this user`,
      'SQLite keeps files beside the database: allow it to.',
    );
  }
  const canOthersEnter = (statSync(folder).mode & OTHERS_MAY_ENTER) !== 0;
  if (canOthersEnter && (stats.mode & OTHERS_MAY_READ) !== 0) {
    return warn('other users of this machine may read the database', `Drafts and hashes are in it: chmod 600 ${path}`);
  }
  return ok('this user alone may read and write it');
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** @param size of the database */
function checkFreeSpace(path: string, size: number): CheckParts {
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  if (free < LEAST_FREE)
    return problem(`${formatBytes(free)} left on the disk`, 'Make room: without it nothing can be saved.');
  if (free < size + ROOM_TO_GROW) {
    return warn(`${formatBytes(free)} left on the disk`, 'Make room: a backup beside the database may not fit.');
  }
  return ok(`${formatBytes(free)} left on the disk`);
}
