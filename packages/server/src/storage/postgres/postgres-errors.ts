// Translates PostgreSQL errors into storage errors. Unknown errors are bugs, and are passed on unchanged.

import {
  ConnectionLost,
  ConstraintViolation,
  DatabaseUnusable,
  type Obstacle,
  OutcomeUnknown,
  StorageFault,
  StorageUnavailable,
  TookTooLong,
} from '../engine.ts';

const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

/** Classes and codes from https://www.postgresql.org/docs/current/errcodes-appendix.html for temporary problems. */
const PASSING_CODES = [
  '08', // connection errors
  '25P03', // the transaction was idle for too long
  '25P04', // the transaction took too long
  '26', // the named statement does not exist on this connection
  '28', // login errors: passwords may be changed while a service is running
  '3D000', // the database does not exist
  '40', // conflicts between transactions
  '53', // out of connections or memory
  LOCK_NOT_AVAILABLE, // a lock could not be acquired in time
  '57', // the server is stopping or starting, or the statement took too long
  '58', // errors with the server's files
] as const;

const OBSTACLES: Readonly<Record<string, Obstacle>> = {
  '25006': 'read-only', // for example, a primary that has become a replica, or `default_transaction_read_only`
  '53100': 'full',
  '58030': 'failing',
};

/** A working connection was lost, or the server closed it: on an administrator's command, after a crash, or because it was idle. */
const LOST_CODES: ReadonlySet<string> = new Set(['57P01', '57P02', '57P05', '08003', '08006', 'ECONNRESET', 'EPIPE']);
const LOST_MESSAGES =
  /^(Connection terminated(?! due to connection timeout)|Client has encountered a connection error|Client was closed)/;

/**
 * The server sends these codes when it closes the connection. (The severity does not help here, because it is in the server's language.)
 */
const ENDING_CODES = /^(08|57P|25P03|25P04)/;

/** Node's codes for connections that cannot be opened, or that are lost. */
const NETWORK_CODES =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_\w+|EHOST\w+|ENET\w+|EADDR\w+|EMFILE|ENFILE|EACCES|ENOENT|ERR_TLS\w*|ERR_SSL\w*|\w*CERT\w*|\w*SIGNATURE\w*)$/;

/** The driver's messages for the same problems. These errors have no code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded|timeout expired|Cannot use a pool after|Query read timeout|The server does not support SSL)/;

export function translatePostgresError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = readCode(error);
  if (code.startsWith('23')) return new ConstraintViolation(error.message, { cause: error });
  if (code === QUERY_CANCELED) return new TookTooLong(describe(error, code), { cause: error });
  const obstacle = OBSTACLES[code];
  if (obstacle !== undefined) return new StorageFault(obstacle, `${error.message} (${code})`, { cause: error });
  if (!isPassing(error, code)) return error;
  const isLost = LOST_CODES.has(code) || LOST_MESSAGES.test(error.message);
  const Failure = isLost ? ConnectionLost : StorageUnavailable;
  return new Failure(describe(error, code), { cause: error });
}

/** If the server refuses to commit, the connection stays open. If the connection ends, the outcome is unknown. */
export function translateCommitError(error: unknown): unknown {
  if (!(error instanceof StorageUnavailable && error.cause instanceof Error)) return error;
  const isRefused = 'severity' in error.cause && !ENDING_CODES.test(readCode(error.cause));
  return isRefused ? error : new OutcomeUnknown(error.message, { cause: error.cause });
}

/** Explains why the database cannot be opened, for the person who starts the service. */
export function translateOpenError(error: unknown, place: string): unknown {
  const original = error instanceof StorageUnavailable ? error.cause : error;
  if (!(original instanceof Error)) return error;
  const code = readCode(original);
  if (code.startsWith('28')) {
    return new DatabaseUnusable(`The database ${place} rejected the login: ${original.message}.`, { cause: original });
  }
  if (code === '3D000') return new DatabaseUnusable(`There is no database at ${place}.`, { cause: original });
  if (code === '42501') {
    const message = `The user does not have a required permission in the database ${place}: ${original.message}.`;
    return new DatabaseUnusable(message, { cause: original });
  }
  if (!isPassing(original, code) || code === LOCK_NOT_AVAILABLE || error instanceof StorageFault) return error;
  return new StorageUnavailable(`${place} cannot be reached: ${describe(original, code)}`, { cause: original });
}

/** Another transaction held a lock for longer than the allowed wait. */
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

/** If a host has several addresses and all of them fail, the error itself has no message. */
function describe(error: Error, code: string): string {
  return error.message === '' ? code : error.message;
}

function readCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
