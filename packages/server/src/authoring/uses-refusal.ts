// How a refusal tells what is in the way: how much it is, and the first of it by id and name.

import type { Uses } from '../storage/port.ts';
import { AuthoringRefusal } from './authoring-refusal.ts';

export const USES_SHOWN = 100;

/** `There is 1 thing`, or `There are 2 things`, as the end of a sentence wants it. */
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
