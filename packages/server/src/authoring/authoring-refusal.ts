// How work is refused: the message is for the person who asked, the rest for the program that they use.

import type { Fault } from '../content/fault.ts';
import type { Uses } from '../storage/contents/content-uses.ts';

/** Why the work cannot be done: the request is unreadable, the thing does not exist, or the work is forbidden, conflicts with the current state, or is invalid. */
export type RefusalReason = 'malformed' | 'absent' | 'forbidden' | 'conflict' | 'invalid';

export interface RefusalParts {
  readonly reason: RefusalReason;
  /** Everything that is wrong with the input, with its place. */
  readonly faults?: readonly Fault[];
  /** What the caller needs to continue, such as who changed what in the meantime. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The work cannot be done, and the service is not at fault. The message is for the person who asked. */
export class AuthoringRefusal extends Error {
  override readonly name = 'AuthoringRefusal';
  readonly reason: RefusalReason;
  readonly faults: readonly Fault[];
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(message: string, parts: RefusalParts = { reason: 'invalid' }) {
    super(message);
    this.reason = parts.reason;
    this.faults = parts.faults ?? [];
    this.details = parts.details;
  }
}

export function refuseAbsent(message: string): AuthoringRefusal {
  return new AuthoringRefusal(message, { reason: 'absent' });
}

/** Nobody reads more, and a hundred thousand faults have one cause. */
const MOST_FAULTS_TOLD = 100;

/** @param faults at least one */
export function refuseFaults(faults: readonly Fault[]): AuthoringRefusal {
  const what = faults.length === 1 ? 'One thing is wrong' : `${faults.length} things are wrong`;
  const rest = faults.length > MOST_FAULTS_TOLD ? ` The first ${MOST_FAULTS_TOLD} are listed.` : '';
  const told = faults.slice(0, MOST_FAULTS_TOLD);
  return new AuthoringRefusal(`${what} with what was sent.${rest}`, { reason: 'invalid', faults: told });
}

/** How many of the things in the way a refusal lists. */
export const USES_SHOWN = 100;

/** For the end of a sentence: `there is 1 thing`, or `there are 2 things`. */
export function countThings(total: number, noun: string): string {
  return total === 1 ? `there is 1 ${noun}` : `there are ${total} ${noun}s`;
}

/** @param what is to be deleted, like `The author u_ada` */
export function refuseInUse(what: string, { total, contents }: Uses): AuthoringRefusal {
  const users = total === 1 ? '1 content record refers' : `${total} content records refer`;
  return new AuthoringRefusal(`${what} cannot be deleted: ${users} to it.`, {
    reason: 'conflict',
    details: { total, contents: contents.map(({ id, name }) => ({ id, name })) },
  });
}
