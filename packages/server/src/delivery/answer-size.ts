import { MOST_ANSWER } from '../content/answer-limit.ts';
import { invalidParameter, type Problem } from '../http/problems.ts';

/** @param objects how many the answer would have had */
export function answerTooLarge(objects: number): Problem {
  if (objects === 1) return invalidParameter(`The object with all that it shows is larger than ${MOST_ANSWER}.`);
  return invalidParameter(
    `The ${objects} objects together are larger than ${MOST_ANSWER}; ask for fewer with the limit parameter.`,
  );
}
