import { selectAccountById } from '../../storage/port.ts';
import { type Actor, COMMAND_ACTOR } from '../actor.ts';
import { refuseAbsent } from '../authoring-refusal.ts';
import type { Desk } from '../desk.ts';

/** A command at work in an account; in the main one where none is named. */
export async function findCommandActor({ storage }: Desk, accountId: string | undefined): Promise<Actor> {
  if (accountId === undefined) return COMMAND_ACTOR;
  const account = await storage.read(selectAccountById(accountId));
  if (account === undefined) throw refuseAbsent(`There is no account ${accountId}.`);
  return { ...COMMAND_ACTOR, accountNo: account.no };
}
