import { ApiError, ConnectionError } from '../api/api-error.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

/** One text for an error that no input can show. */
export function describeError(error: Error): string {
  if (error instanceof ConnectionError) return SHELL_TEXTS.unreachable;
  if (!(error instanceof ApiError) || error.faults.length === 0) return error.message;
  return error.faults.map(({ path, message }) => `${path} ${message}`.trim()).join('\n');
}
