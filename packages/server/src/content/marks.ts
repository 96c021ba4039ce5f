// Marks are invisible characters in the text of a preview. They say which content and which field the text comes from. Each mark consists
// of four zero-width spaces and then its JSON, with four zero-width characters per byte. People type zero-width characters too, for example
// in Persian or in emoji, so only complete marks count.

import { vercelStegaEncode } from '@vercel/stega';

/** Where text in a preview comes from. */
export interface Mark {
  readonly id: string;
  /** The path of the field, such as `fields.body.blocks[0].fields.text`. */
  readonly path: string;
  readonly language: string;
  /** The id of the asset, if the text is an asset's description. */
  readonly asset?: string;
}

export function encodeMark({ id, path, language, asset }: Mark): string {
  return vercelStegaEncode({ origin: 'galley', id, path, language, asset });
}

const SPACES = '\u200b\u200b\u200b\u200b';
/** The zero-width spaces and an encoded `{`. */
const START = `${SPACES}\u200c\ufeff\u200d\ufeff`;
/** An encoded `}`, which occurs only at the end. */
const END = '\u200c\ufeff\ufeff\u200c';
const CHARACTERS_PER_BYTE = 4;
const RUN = /(?:[\u200b-\u200d]|\ufeff)+/g;
const GROUP = /^(?:[\u200b-\u200d]|\ufeff){4}$/;

/** Whether JSON text may contain marks. Any of a mark's characters may be escaped, so this looks only for the spaces at its start. */
export function mayHaveMarks(json: string): boolean {
  return json.includes(SPACES) || json.includes('\\u200b') || json.includes('\\u200B');
}

/** Removes marks from all text in a parsed JSON value. Returns the same value if there are none. */
export function removeMarksDeep(value: unknown): unknown {
  if (typeof value === 'string') return removeMarks(value);
  if (Array.isArray(value)) {
    const items = value.map(removeMarksDeep);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => ({ name, member, cleaned: removeMarksDeep(member) }));
  if (members.every(({ member, cleaned }) => member === cleaned)) return value;
  return Object.fromEntries(members.map(({ name, cleaned }) => [name, cleaned]));
}

export function removeMarks(text: string): string {
  if (!text.includes(START)) return text;
  const rest = removeOnce(text);
  // Removing a mark can turn the text around it into another mark, but only if somebody has nested marks on purpose.
  return removeOnce(rest) === rest ? rest : rest.replace(RUN, (run) => (run.includes(START) ? '' : run));
}

function removeOnce(text: string): string {
  /** The positions before which no complete mark begins, by `at % CHARACTERS_PER_BYTE`, so that incomplete marks are read only once. */
  const endless = [0, 0, 0, 0];
  let kept = '';
  let from = 0;
  for (let at = text.indexOf(START); at !== -1; at = text.indexOf(START, at)) {
    const remainder = at % CHARACTERS_PER_BYTE;
    const isEndless = at < (endless[remainder] ?? 0);
    const { end, isComplete } = isEndless ? { end: at, isComplete: false } : findEnd(text, at);
    if (isComplete) {
      kept += text.slice(from, at);
      from = end;
      at = end;
    } else {
      if (!isEndless) endless[remainder] = end;
      at += 1;
    }
  }
  return kept + text.slice(from);
}

/** @returns the index after the mark, or after its last group of characters if it is incomplete */
function findEnd(text: string, start: number): { readonly end: number; readonly isComplete: boolean } {
  for (let at = start + START.length; ; at += CHARACTERS_PER_BYTE) {
    const group = text.slice(at, at + CHARACTERS_PER_BYTE);
    if (group === END) return { end: at + CHARACTERS_PER_BYTE, isComplete: true };
    if (!GROUP.test(group)) return { end: at, isComplete: false };
  }
}
