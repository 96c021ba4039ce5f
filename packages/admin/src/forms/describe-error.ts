import { ApiError, ConnectionError, isConflict } from '../api/api-error.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

/** One text for an error that no input can show. */
export function describeError(error: Error): string {
  if (error instanceof ConnectionError) return SHELL_TEXTS.unreachable;
  if (!(error instanceof ApiError) || error.faults.length === 0) return error.message;
  return error.faults.map(({ path, message }) => `${path} ${message}`.trim()).join('\n');
}

/** For a record that cannot be deleted because content uses it: says in how many pages, instead of naming IDs. */
export function explainUses(error: unknown): never {
  const total = isConflict(error) ? error.details.total : undefined;
  if (!isConflict(error) || typeof total !== 'number') throw error;
  throw new ApiError(error.status, { message: SHELL_TEXTS.usedIn(total), details: error.details });
}
