// Who does something: a person who has signed in, a token of the management API, a command, or the schedule.

import type { Role } from '../content/role.ts';
import { MAIN_ACCOUNT_NO } from '../storage/port.ts';

export interface Actor {
  readonly kind: 'user' | 'token' | 'command' | 'schedule';
  /** The id of the user or token. */
  readonly id: string | null;
  readonly name: string;
  readonly role: Role;
  readonly accountNo: number;
  /** The network address that the request came from. */
  readonly address: string | null;
}

/** Whose turn it is, where several ask for lists that take long. */
export function nameCaller({ kind, id }: Actor): string {
  return id ?? kind;
}

/** Whoever may run commands on the database may do everything. */
export const COMMAND_ACTOR: Actor = Object.freeze({
  kind: 'command',
  id: null,
  name: 'Command line',
  role: 'owner',
  accountNo: MAIN_ACCOUNT_NO,
  address: null,
});

export const SCHEDULE_ACTOR: Actor = Object.freeze({
  kind: 'schedule',
  id: null,
  name: 'Schedule',
  role: 'owner',
  accountNo: MAIN_ACCOUNT_NO,
  address: null,
});
