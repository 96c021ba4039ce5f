// How large an answer may become. Objects can be large, and links show whole objects inside others: without a bound, a
// short request could fill the memory of the process.

import { PIECES, readIds } from '../content/body.ts';
import { invalidParameter, type Problem } from '../http/problems.ts';
import type { ContentRow, Related } from '../storage/port.ts';

export const MOST_ANSWER_CHARACTERS = 32 * 1024 * 1024;

/** At least how large the answer will be, before any of it is put together. */
export function estimateSize(rows: readonly ContentRow[], { links }: Related): number {
  let size = 0;
  for (const { body } of rows) {
    size += body.size;
    if (links.size > 0) for (const id of readIds(body, PIECES.links)) size += links.get(id)?.body.size ?? 0;
  }
  return size;
}

/** @param objects how many the answer would have had */
export function answerTooLarge(objects: number): Problem {
  const bound = `${MOST_ANSWER_CHARACTERS / 1024 / 1024} MB`;
  if (objects === 1) return invalidParameter(`The object with all that it links to is larger than ${bound}.`);
  return invalidParameter(
    `The ${objects} objects together are larger than ${bound}; ask for fewer with the limit parameter.`,
  );
}
