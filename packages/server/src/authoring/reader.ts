// Looking things up for an actor, inside a piece of work or without one.

import type { Actor } from './actor.ts';
import type { Desk, Job } from './desk.ts';

export type Reader = Pick<Job, 'actor' | 'run'>;

/** For what changes nothing: every look-up sees the newest data, so what belongs together must be one procedure. */
export function openReader({ storage }: Desk, actor: Actor): Reader {
  return { actor, run: (procedure) => storage.read(procedure) };
}
