// Finds the marks in previewed text, and decodes them.

import { vercelStegaDecode, vercelStegaEncode } from '@vercel/stega';
import { isRecord } from './is-record.ts';
import { MARK, START } from './remove-marks.ts';

/** Where a piece of text in a preview comes from. */
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

/** Cached, because decoding is slow: 5,000 marks take 100 ms. A page has one distinct mark for each field that it shows. */
const decoded = new Map<string, Mark | undefined>();

/** A mark and its position in the text. */
export interface FoundMark {
  readonly mark: Mark;
  /** The index of its first character. */
  readonly start: number;
  /** The index after its last character. */
  readonly end: number;
}

/**
 * Whether the text may contain a mark.
 * @param starts possible beginnings of the mark
 */
export function hasMark(text: string, starts: readonly string[] = [START]): boolean {
  for (let at = text.indexOf(START); at >= 0; at = text.indexOf(START, at + 1)) {
    // `startsWith` compares one character at a time and takes ten times as long.
    if (starts.some((start) => text.slice(at, at + start.length) === start)) return true;
  }
  return false;
}

/** The beginnings of the marks for a field, for its parts and for the fields around it. Comparing these is faster than decoding. */
export function encodeField(id: string, path: string): readonly string[] {
  // In a mark, the language follows the path. Without the quotation mark after the path, the parts of the field match too.
  const encode = (part: string) => vercelStegaEncode({ origin: 'galley', id, path: part }).slice(0, -4);
  return pathsAround(path).map((part, index) => (index === 0 ? encode(part).slice(0, -4) : encode(part)));
}

/** `fields.tags.list[2]`, `fields.tags.list`, `fields.tags`, `fields`. */
function pathsAround(path: string): readonly string[] {
  const around = path.replace(/(\.\w+|\[\d+\])$/, '');
  return around === path ? [path] : [path, ...pathsAround(around)];
}

/** All marks in the text, in order. */
export function findMarks(text: string): readonly FoundMark[] {
  return [...text.matchAll(MARK)].flatMap(({ 0: characters, index }) => {
    const mark = decodeCharacters(characters);
    return mark === undefined ? [] : [{ mark, start: index, end: index + characters.length }];
  });
}

/**
 * The first mark in the text: the content and the field that the text comes from. Undefined if the text has no mark.
 *
 * @example
 * const mark = decodeMark(article.name);
 * console.log(mark?.id, mark?.path);
 */
export function decodeMark(text: string): Mark | undefined {
  return findMarks(text)[0]?.mark;
}

function decodeCharacters(characters: string): Mark | undefined {
  if (!decoded.has(characters)) {
    const value: unknown = vercelStegaDecode(characters);
    decoded.set(characters, isMark(value) ? value : undefined);
  }
  return decoded.get(characters);
}

function isMark(value: unknown): value is Mark {
  return isRecord(value) && value.origin === 'galley' && typeof value.id === 'string' && typeof value.path === 'string';
}
