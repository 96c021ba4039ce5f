// SQLite's errors in storage's own words. Anything unknown stays what it is: a bug.

import { ConstraintViolation, StorageUnavailable } from '../engine.ts';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_CONSTRAINT = 19;

export function translateSqliteError(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
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
