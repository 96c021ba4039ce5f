// Where two texts differ: what they begin and end with alike is told apart from what is between, at the edges of words.

export interface TextChange {
  readonly start: string;
  readonly removed: string;
  readonly added: string;
  readonly end: string;
}

export function findTextChange(before: string, after: string): TextChange {
  const was = splitWords(before);
  const is = splitWords(after);
  const most = Math.min(was.length, is.length);
  let head = 0;
  while (head < most && was[head] === is[head]) head += 1;
  let tail = 0;
  while (tail < most - head && was[was.length - 1 - tail] === is[is.length - 1 - tail]) tail += 1;
  return {
    start: was.slice(0, head).join(''),
    removed: was.slice(head, was.length - tail).join(''),
    added: is.slice(head, is.length - tail).join(''),
    end: was.slice(was.length - tail).join(''),
  };
}

/** Words, what is between them, and single marks; joined again they are the text. */
function splitWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu) ?? [];
}
