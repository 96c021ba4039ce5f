import { type Procedure, selectUser, type UserRow } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { refuseAbsent } from '../authoring-refusal.ts';

/** A user of the actor's account; another account's is as good as none. */
export function* findUser(actor: Actor, userId: string): Procedure<UserRow> {
  const user = yield* selectUser(actor.accountNo, userId);
  if (user === undefined) throw refuseAbsent(`There is no user ${userId}.`);
  return user;
}
