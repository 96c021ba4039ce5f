// The invisible marks in previewed text: four zero-width spaces, then the JSON of the mark in groups of four zero-width characters per
// byte. Only complete marks count, so the zero-width characters that people type are never taken for one.

import { vercelStegaDecode } from '@vercel/stega';
import { isRecord } from './is-record.ts';

/** Where a text in a preview comes from. */
export interface Mark {
  /** The ID of the content, such as `c_1`. */
  readonly id: string;
  /** The path of the field in the content object, such as `fields.body.blocks[0].fields.text`. */
  readonly path: string;
  /** The language of the content. */
  readonly language?: string | undefined;
  /** The ID of the asset, if the text is an asset's description. */
  readonly asset?: string | undefined;
}

/** The first characters of every mark. Searching for them is much faster than the regular expression. */
const START = '\u200b\u200b\u200b\u200b\u200c\ufeff\u200d\ufeff';

/** `START` encodes `{`, and the end encodes `}`, which occurs only once in a mark. */
const MARK = /\u200b{4}\u200c\ufeff\u200d\ufeff(?:(?:\u200b|\u200c|\u200d|\ufeff){4})*?\u200c\ufeff\ufeff\u200c/g;

/** Decoding takes longer than everything else on a page with thousands of marks, and most marks are read many times. */
const decoded = new Map<string, Mark | undefined>();
const MAX_DECODED = 20_000;

/** A mark and its place in a text. */
export interface FoundMark {
  readonly mark: Mark;
  /** The index of its first character. */
  readonly start: number;
  /** The index after its last character. */
  readonly end: number;
}

/** Whether the text may contain a mark. */
export function hasMark(text: string | null): boolean {
  return text?.includes(START) ?? false;
}

/** All marks in a text, in order. */
export function findMarks(text: string): readonly FoundMark[] {
  if (!hasMark(text)) return [];
  return [...text.matchAll(MARK)].flatMap(({ 0: characters, index }) => {
    const mark = decodeCharacters(characters);
    return mark === undefined ? [] : [{ mark, start: index, end: index + characters.length }];
  });
}

/**
 * The first mark in a text: the content and the field that the text comes from. Undefined if the text has no mark.
 *
 * @example
 * const mark = decodeMark(article.name);
 * console.log(mark?.id, mark?.path);
 */
export function decodeMark(text: string): Mark | undefined {
  return findMarks(text)[0]?.mark;
}

/** The text without its marks. */
export function removeMarks(text: string): string {
  return hasMark(text) ? text.replace(MARK, '') : text;
}

function decodeCharacters(characters: string): Mark | undefined {
  if (!decoded.has(characters)) {
    if (decoded.size >= MAX_DECODED) decoded.clear();
    const value: unknown = vercelStegaDecode(characters);
    decoded.set(characters, isMark(value) ? value : undefined);
  }
  return decoded.get(characters);
}

function isMark(value: unknown): value is Mark {
  return isRecord(value) && value.origin === 'galley' && typeof value.id === 'string' && typeof value.path === 'string';
}
