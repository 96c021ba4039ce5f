// Translates SQLite errors into storage errors. Unknown errors are bugs, and are passed on unchanged.

import { dirname } from 'node:path';
import { ConstraintViolation, DatabaseUnusable, OutcomeUnknown, StorageFault, StorageUnavailable } from '../engine.ts';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_CONSTRAINT = 19;
const SQLITE_NOTADB = 26;
const SQLITE_IOERR_FSYNC = SQLITE_IOERR | (4 << 8);

export function translateSqliteError(error: unknown): unknown {
  if (isClosed(error)) return new StorageUnavailable(error.message, { cause: error });
  if (!isSqliteError(error)) return error;
  switch (error.errcode & 0xff) {
    case SQLITE_CONSTRAINT:
      return new ConstraintViolation(error.message, { cause: error });
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return new StorageUnavailable(error.message, { cause: error });
    case SQLITE_FULL:
      return new StorageFault('full', describeWithCode(error), { cause: error });
    case SQLITE_READONLY:
      return new StorageFault('read-only', describeWithCode(error), { cause: error });
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
      return new StorageFault('failing', describeWithCode(error), { cause: error });
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return new DatabaseUnusable(`The database file is damaged: ${describeWithCode(error)}.`, { cause: error });
    default:
      return error;
  }
}

/** If syncing fails, the transaction is in the log, but may not have reached the disk. */
export function translateCommitError(error: unknown): unknown {
  if (!(error instanceof StorageFault && isSqliteError(error.cause))) return error;
  return error.cause.errcode === SQLITE_IOERR_FSYNC ? new OutcomeUnknown(error.message, { cause: error }) : error;
}

/** Explains why the file at `path` cannot be opened, for the person who starts the service. */
export function translateOpenError(error: unknown, path: string): unknown {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'mkdir') {
    const reason = error.message.replace(/, mkdir .*$/s, '');
    return new DatabaseUnusable(`The folder ${dirname(path)} cannot be created: ${reason}.`, { cause: error });
  }
  if (error instanceof Error && 'syscall' in error && error.syscall === 'open') {
    return new DatabaseUnusable(`The file ${path} cannot be created: ${error.message}.`, { cause: error });
  }
  const isTranslated = error instanceof StorageUnavailable || error instanceof DatabaseUnusable;
  const original = isTranslated ? error.cause : error;
  if (!isSqliteError(original)) return error;
  switch (original.errcode & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return new StorageUnavailable(original.message, { cause: original });
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return new DatabaseUnusable(`The file ${path} is damaged, or is not a SQLite database.`, { cause: original });
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return new DatabaseUnusable(`The file ${path} cannot be opened or written to.`, { cause: original });
    default:
      return new DatabaseUnusable(`The file ${path} cannot be used: ${original.message}.`, { cause: original });
  }
}

/** SQLite uses the same message for many errors; only the code distinguishes them. */
function describeWithCode({ message, errcode }: SqliteError): string {
  return `${message} (SQLite error ${errcode})`;
}

/** SQLite's own message. Any other error is a bug, and is rethrown. */
export function describeSqliteError(error: unknown): string {
  if (!isSqliteError(error)) throw error;
  return error.message;
}

/** Another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && (error.errcode & 0xff) === SQLITE_BUSY;
}

/** Node rejects the use of a closed connection. */
function isClosed(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
}

interface SqliteError extends Error {
  /** The extended code: its lowest byte is the class of the error. */
  readonly errcode: number;
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}
