// Finds the words that differ between two texts.

import { diffArrays } from 'diff';

export interface ChangedWords {
  /** Positions of words that occur only in the first text. */
  readonly removed: ReadonlySet<number>;
  /** Positions of words that occur only in the second text. */
  readonly added: ReadonlySet<number>;
}

/** If there are more differences than this, only the common beginning and end count as unchanged. */
const MOST_EDITS = 800;

/**
 * Splits text into words, the spaces between them, and single punctuation marks. Joined together, the pieces form the
 * original text.
 */
export function splitWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu) ?? [];
}

export function findChangedWords(before: readonly string[], after: readonly string[]): ChangedWords {
  const parts = diffArrays([...before], [...after], { maxEditLength: MOST_EDITS });
  if (parts === undefined) return findChangedMiddle(before, after);
  const removed = new Set<number>();
  const added = new Set<number>();
  let [was, is] = [0, 0];
  for (const { count, ...part } of parts) {
    for (let word = 0; word < count; word += 1) {
      if (part.removed) removed.add(was);
      if (part.added) added.add(is);
      if (!part.added) was += 1;
      if (!part.removed) is += 1;
    }
  }
  return { removed: fillGaps(before, removed), added: fillGaps(after, added) };
}

/** A space between two changed words is part of the change. */
function fillGaps(words: readonly string[], changed: ReadonlySet<number>): ReadonlySet<number> {
  const isGap = (word: string, place: number): boolean =>
    /\s$/.test(word) && changed.has(place - 1) && changed.has(place + 1);
  return new Set([...changed, ...words.flatMap((word, place) => (isGap(word, place) ? [place] : []))]);
}

function findChangedMiddle(before: readonly string[], after: readonly string[]): ChangedWords {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const buildRange = (length: number): ReadonlySet<number> =>
    new Set(Array.from({ length: length - head - tail }, (_, index) => head + index));
  return { removed: buildRange(before.length), added: buildRange(after.length) };
}
