// Walks a list by following the links in its responses.

import { type CallOptions, linksOf, type Reader, type Reply, targetOf } from './reader.ts';

/** Returns all sets, starting with the first one and following `next`. */
export async function walk(reader: Reader, query: string, options?: CallOptions): Promise<readonly Reply[]> {
  const first = await reader.list(query, options);
  return [first, ...(await walkOn(reader, first, options))];
}

/** Returns all sets after this one. */
export async function walkOn(reader: Reader, start: Reply, options?: CallOptions): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (let { next } = linksOf(start); next !== undefined; ) {
    if (replies.length > 50) throw new Error('The walk does not end');
    const reply = await reader.call(targetOf(next), options);
    replies.push(reply);
    next = linksOf(reply).next;
  }
  return replies;
}

export function lastOf(replies: readonly Reply[]): Reply {
  const last = replies.at(-1);
  if (last === undefined) throw new Error('There is no set');
  return last;
}
