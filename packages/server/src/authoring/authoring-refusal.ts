// Errors for refused operations: the message is for the person who made the request, and everything else is for their program.

import type { Fault } from '../content/fault.ts';
import type { Uses } from '../storage/contents/content-uses.ts';

/**
 * Why the operation is refused: the request is unreadable or invalid, the object does not exist, the caller lacks permission, there is a
 * conflict, a file is too large, or the service is too busy to process the request.
 */
export type RefusalReason = 'malformed' | 'absent' | 'forbidden' | 'conflict' | 'invalid' | 'too_large' | 'busy';

/** Codes that programs can check. The first seven follow from the reason; most of the others come with `details`. */
export const REFUSAL_CODES = [
  'malformed',
  'not_found',
  'forbidden',
  'conflict',
  'invalid',
  'too_large',
  'busy',
  'in_use',
  'taken',
  'stale',
  'linked',
  'url_taken',
  'wrong_state',
  'values_lost',
  'values_missing',
  'limit_reached',
  'last_owner',
  'duplicate',
  'file_removed',
  'file_empty',
  'type_not_allowed',
  'too_many_pixels',
  'unreadable',
  'not_fetched',
  'wrong_offset',
  'incomplete',
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

export interface RefusalParts {
  readonly reason: RefusalReason;
  /** Defaults to the code for the reason. */
  readonly code?: RefusalCode;
  /** All errors in the input, each with its path. */
  readonly faults?: readonly Fault[];
  /** Data that the caller needs in order to continue, such as who has changed what in the meantime. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The service is working, but it cannot carry out the request. */
export class AuthoringRefusal extends Error {
  override readonly name = 'AuthoringRefusal';
  readonly reason: RefusalReason;
  readonly code: RefusalCode;
  readonly faults: readonly Fault[];
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(message: string, parts: RefusalParts = { reason: 'invalid' }) {
    super(message);
    this.reason = parts.reason;
    this.code = parts.code ?? (parts.reason === 'absent' ? 'not_found' : parts.reason);
    this.faults = parts.faults ?? [];
    this.details = parts.details;
  }
}

export function refuseAbsent(message: string): AuthoringRefusal {
  return new AuthoringRefusal(message, { reason: 'absent' });
}

/** Nobody reads a longer list, and thousands of faults usually have the same cause. */
const MOST_FAULTS_LISTED = 100;

/** @param faults at least one */
export function refuseFaults(faults: readonly Fault[]): AuthoringRefusal {
  const errors = faults.length === 1 ? '1 error' : `${faults.length} errors`;
  const rest = faults.length > MOST_FAULTS_LISTED ? ` The first ${MOST_FAULTS_LISTED} are listed.` : '';
  const listed = faults.slice(0, MOST_FAULTS_LISTED);
  return new AuthoringRefusal(`The input has ${errors}.${rest}`, { reason: 'invalid', faults: listed });
}

/** The maximum number of uses that a refusal lists. */
export const USES_SHOWN = 100;

/** Returns `there is 1 thing` or `there are 2 things`. */
export function countThings(total: number, noun: string): string {
  return total === 1 ? `there is 1 ${noun}` : `there are ${total} ${noun}s`;
}

/** @param what the object to delete, such as `Author u_ada` */
export function refuseInUse(what: string, { total, contents }: Uses): AuthoringRefusal {
  const users = total === 1 ? '1 content record refers' : `${total} content records refer`;
  return new AuthoringRefusal(`${what} cannot be deleted: ${users} to it.`, {
    reason: 'conflict',
    code: 'in_use',
    details: { total, contents: contents.map(({ id, name }) => ({ id, name })) },
  });
}
