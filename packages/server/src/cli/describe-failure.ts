// Describes why a command failed: one clear line for an error that the user can fix, and all details for a bug.

import { inspect } from 'node:util';
import { AuthoringRefusal } from '../authoring/authoring-refusal.ts';
import { formatFault } from '../content/fault.ts';
import { FileStoreError } from '../files/file-store.ts';
import {
  DatabaseUnusable,
  ImportRunning,
  type Obstacle,
  OutcomeUnknown,
  StorageFault,
  StorageUnavailable,
} from '../storage/engine.ts';
import { SchemaTooNew } from '../storage/migrations.ts';
import { CommandFailure, FileFailure } from './command-failure.ts';
import { cleanLines, type Paint } from './paint.ts';

const FAULTS: Readonly<Record<Obstacle, string>> = {
  full: 'The database disk is full, so nothing was saved. Free up space and try again.',
  'read-only': 'The database is read-only, so nothing was saved.',
  failing: 'The database files cannot be read or written.',
  thread: 'A thread for expensive lists or large requests failed.',
};

export function describeFailure(error: unknown, paint: Paint): string {
  if (error instanceof FileFailure) return cleanLines(error.message);
  const message = findMessage(error);
  if (message !== undefined) return `${paint('red', 'error:')} ${cleanLines(message)}`;
  const details = cleanLines(inspect(error));
  return `${paint('red', 'error:')} This is a bug in Galley. Please report it with the details below.\n${details}`;
}

/** Undefined for a bug. */
export function findMessage(error: unknown): string | undefined {
  if (error instanceof SchemaTooNew) return `${error.message} Use the release that wrote it, or a newer one.`;
  if (error instanceof ImportRunning) return 'An import is running. Try again when it has finished.';
  if (error instanceof StorageFault) return `${FAULTS[error.obstacle]} The database error is: ${error.message}.`;
  if (error instanceof OutcomeUnknown) {
    return `The database failed during the save: ${error.message}. The change may or may not have been saved.`;
  }
  if (error instanceof StorageUnavailable) {
    return /lock|busy/i.test(error.message)
      ? 'Another process is writing to the database. Try again when it has finished.'
      : `The database is unavailable: ${error.message}.`;
  }
  if (error instanceof AuthoringRefusal) {
    return [error.message, ...error.faults.map((fault) => `  ${formatFault(fault)}`)].join('\n');
  }
  const isExpected =
    error instanceof CommandFailure || error instanceof DatabaseUnusable || error instanceof FileStoreError;
  return isExpected ? error.message : undefined;
}
