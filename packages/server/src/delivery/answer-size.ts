import { MOST_ANSWER } from '../content/answer-limit.ts';
import { invalidParameter, type Problem } from '../http/problems.ts';

/** There is no room for an answer where it was to be made. */
export interface Oversized {
  /** How many objects the answer would have had. */
  readonly oversized: number;
}

/** For an answer that there is no room for anywhere. */
export function answerTooLarge({ oversized: objects }: Oversized): Problem {
  if (objects === 1) return invalidParameter(`The object with all that it shows is larger than ${MOST_ANSWER}.`);
  return invalidParameter(
    `The ${objects} objects together are larger than ${MOST_ANSWER}; ask for fewer with the limit parameter.`,
  );
}
