// PostgreSQL's errors in storage's own words. Anything unknown stays what it is: a bug.

import { ConstraintViolation, DatabaseUnusable, StorageUnavailable, TookTooLong } from '../engine.ts';

const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

/** Classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html that pass by themselves. */
const PASSING_CODES = [
  '08', // the connection
  '25006', // written to a server that only reads, such as a primary that was taken down to a replica
  '25P03', // a transaction that did nothing for too long
  '25P04', // a transaction that took too long
  '26', // a statement that the connection does not know by its name (any more)
  '28', // who connects: passwords are changed while a service runs
  '3D000', // no such database
  '40', // two transactions in each other's way
  '53', // out of connections, memory, disk
  LOCK_NOT_AVAILABLE, // a lock that was not to be had in time
  '57', // the server is stopped or starts, or the statement took too long
  '58', // files of the server
] as const;

/** What Node says of connections that cannot be made, or end. */
const NETWORK_CODES =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_\w+|EHOST\w+|ENET\w+|EADDR\w+|EMFILE|ENFILE|EACCES|ENOENT|ERR_TLS\w*|ERR_SSL\w*|\w*CERT\w*|\w*SIGNATURE\w*)$/;

/** What the driver says of the same, without a code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded|timeout expired|Cannot use a pool after|Query read timeout|The server does not support SSL)/;

export function translatePostgresError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = readCode(error);
  if (code.startsWith('23')) return new ConstraintViolation(error.message, { cause: error });
  if (code === QUERY_CANCELED) return new TookTooLong(describe(error, code), { cause: error });
  return isPassing(error, code) ? new StorageUnavailable(describe(error, code), { cause: error }) : error;
}

/** What stands in the way of opening the database, in words for the person who wants it opened. */
export function translateOpenError(error: unknown, place: string): unknown {
  const original = error instanceof StorageUnavailable ? error.cause : error;
  if (!(original instanceof Error)) return error;
  const code = readCode(original);
  if (code.startsWith('28')) {
    return new DatabaseUnusable(`The database ${place} does not let us in: ${original.message}.`, { cause: original });
  }
  if (code === '3D000') return new DatabaseUnusable(`There is no database at ${place}.`, { cause: original });
  if (code === '42501') {
    const message = `The database ${place} lacks a right that the schema needs: ${original.message}.`;
    return new DatabaseUnusable(message, { cause: original });
  }
  if (!isPassing(original, code) || code === LOCK_NOT_AVAILABLE) return error;
  return new StorageUnavailable(`${place} cannot be reached: ${describe(original, code)}`, { cause: original });
}

/** Another transaction holds a lock for longer than was to be waited. */
export function isLockTimeout(error: unknown): boolean {
  return (
    error instanceof StorageUnavailable && error.cause instanceof Error && readCode(error.cause) === LOCK_NOT_AVAILABLE
  );
}

function isPassing(error: Error, code: string): boolean {
  const isServerCode = /^[0-9A-Z]{5}$/.test(code) && 'severity' in error;
  if (isServerCode) return PASSING_CODES.some((start) => code.startsWith(start));
  return NETWORK_CODES.test(code) || DRIVER_MESSAGES.test(error.message);
}

/** An address that resolves to several is tried at each of them, and the error for all has no message. */
function describe(error: Error, code: string): string {
  return error.message === '' ? code : error.message;
}

function readCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
