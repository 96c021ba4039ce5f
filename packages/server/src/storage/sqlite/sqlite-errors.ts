// SQLite's errors in storage's own words. Anything unknown stays what it is: a bug.

import { dirname } from 'node:path';
import { ConstraintViolation, DatabaseUnusable, StorageUnavailable } from '../engine.ts';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_CONSTRAINT = 19;
const SQLITE_NOTADB = 26;

export function translateSqliteError(error: unknown): unknown {
  if (isClosed(error)) return new StorageUnavailable(error.message, { cause: error });
  if (!isSqliteError(error)) return error;
  switch (error.errcode & 0xff) {
    case SQLITE_CONSTRAINT:
      return new ConstraintViolation(error.message, { cause: error });
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
      return new StorageUnavailable(error.message, { cause: error });
    default:
      return error;
  }
}

/** What stands in the way of opening the file at `path`, in words for the person who wants it opened. */
export function translateOpenError(error: unknown, path: string): unknown {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'mkdir') {
    const reason = error.message.replace(/, mkdir .*$/s, '');
    return new DatabaseUnusable(`The folder ${dirname(path)} cannot be created: ${reason}.`, { cause: error });
  }
  if (error instanceof Error && 'syscall' in error && error.syscall === 'open') {
    return new DatabaseUnusable(`The file ${path} cannot be created: ${error.message}.`, { cause: error });
  }
  const original = error instanceof StorageUnavailable ? error.cause : error;
  if (!isSqliteError(original)) return error;
  switch (original.errcode & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return new StorageUnavailable(original.message, { cause: original });
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return new DatabaseUnusable(`The file ${path} is damaged, or is no SQLite database.`, { cause: original });
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return new DatabaseUnusable(`The file ${path} cannot be opened, or may not be written to.`, { cause: original });
    default:
      return new DatabaseUnusable(`The file ${path} cannot be used: ${original.message}.`, { cause: original });
  }
}

/** What SQLite says, without our names for it; anything else is a bug, and is thrown on. */
export function describeSqliteError(error: unknown): string {
  if (!isSqliteError(error)) throw error;
  return error.message;
}

/** Another connection holds what is needed. */
export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && (error.errcode & 0xff) === SQLITE_BUSY;
}

/** Node refuses to use a connection that was closed. */
function isClosed(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
}

function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}
