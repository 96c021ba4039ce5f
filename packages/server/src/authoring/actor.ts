// The actor behind an operation: a signed-in user, a management token, a command, the scheduler, or somebody who failed to sign in.

import type { Role } from '../content/role.ts';
import { MAIN_ACCOUNT_NO } from '../storage/accounts/accounts.ts';

export interface Actor {
  readonly kind: 'user' | 'token' | 'command' | 'schedule' | 'guest';
  /** The id of the user or token. */
  readonly id: string | null;
  readonly name: string;
  readonly role: Role;
  readonly accountNo: number;
  /** The network address that the request came from. */
  readonly address: string | null;
}

/** Identifies the caller of a slow operation, so that callers can take turns. */
export function nameCaller({ kind, id }: Actor): string {
  return id ?? kind;
}

/** Anyone who can run commands on the database has all rights. */
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

/** Someone without an account. Their attempts are logged in the main account, whose owners run the installation. */
export const GUEST_ACTOR: Actor = Object.freeze({
  kind: 'guest',
  id: null,
  name: 'Somebody',
  role: 'editor',
  accountNo: MAIN_ACCOUNT_NO,
  address: null,
});
