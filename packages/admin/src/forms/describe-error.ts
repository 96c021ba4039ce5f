import { ApiError, ConnectionError } from '../api/api-error.ts';
import { describeFaults, ERROR_TEXTS } from '../texts/fault-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

/** The text for an error that is not shown next to an input. */
export function describeError(error: Error): string {
  if (error instanceof ConnectionError) return SHELL_TEXTS.unreachable;
  if (!(error instanceof ApiError)) return error.message;
  return describeFaults(error.faults) ?? (isKnown(error.code) ? ERROR_TEXTS[error.code](error) : error.message);
}

/** After the service is updated, a panel that is still open may not recognise a new code. */
function isKnown(code: string | undefined): code is keyof typeof ERROR_TEXTS {
  return code !== undefined && Object.hasOwn(ERROR_TEXTS, code);
}
