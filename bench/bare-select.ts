// Starts the baseline for first-time reads from PostgreSQL: a process that selects a group's rows.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Case, Group } from './cases.ts';
import type { LoadFigures } from './load/load.ts';
import { recordAnswer } from './recorded-answer.ts';
import type { Scratch } from './scratch.ts';

export interface BareSelect {
  readonly pid: number | undefined;
  /** Makes the process select this group's objects from now on: all objects on the large site, or the first page of a list. */
  readonly prepare: (group: Group) => Promise<void>;
  readonly run: (seconds: number) => Promise<LoadFigures>;
}

export type SelectOrder =
  | { readonly kind: 'prepare'; readonly url: string; readonly ids: readonly (readonly string[])[] }
  | { readonly kind: 'run'; readonly seconds: number };

export type SelectMessage = 'ready' | LoadFigures | { readonly failure: string };

export function startBareSelect(scratch: Scratch): BareSelect {
  const child = scratch.adopt(fork(join(import.meta.dirname, 'select-process.ts')));
  const ask = async (order: SelectOrder): Promise<Exclude<SelectMessage, { failure: string }>> => {
    child.send(order);
    const [first] = await once(child, 'message');
    const message = asSelectMessage(first);
    if (typeof message === 'object' && 'failure' in message) throw new Error(message.failure);
    return message;
  };
  return {
    pid: child.pid,
    prepare: async ({ cases }) => {
      const each = cases.findLast(({ place }) => place === 'any object' || place === 'first page');
      if (each === undefined) throw new Error('There is nothing to select');
      await ask({ kind: 'prepare', url: each.site.databaseUrl, ids: await listIds(each) });
    },
    run: async (seconds) => {
      const figures = await ask({ kind: 'run', seconds });
      if (figures === 'ready') throw new Error('The select process reported no figures');
      return figures;
    },
  };
}

async function listIds({ site, place, paths }: Case): Promise<readonly (readonly string[])[]> {
  const idsIn = (text: string): readonly string[] => text.match(/\bc_[0-9a-f]{32}/g) ?? [];
  if (place === 'any object') return paths.map(idsIn);
  const { body } = await recordAnswer(site.reader, `${paths[0]}select`);
  return [idsIn(body)];
}

/** The cast is safe, because the process sends no other messages. */
function asSelectMessage(message: unknown): SelectMessage {
  return message as SelectMessage;
}
