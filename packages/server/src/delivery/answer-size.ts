// How large an answer may become. Objects can be large, and links show whole objects inside others: without a bound, a
// short request could fill the memory of the process.

import { invalidParameter, type Problem } from '../http/problems.ts';

export const MOST_ANSWER_CHARACTERS = 32 * 1024 * 1024;

/** @param objects how many the answer would have had */
export function answerTooLarge(objects: number): Problem {
  const bound = `${MOST_ANSWER_CHARACTERS / 1024 / 1024} MB`;
  if (objects === 1) return invalidParameter(`The object with all that it links to is larger than ${bound}.`);
  return invalidParameter(
    `The ${objects} objects together are larger than ${bound}; ask for fewer with the limit parameter.`,
  );
}
