// Positions in the change feed, as clients receive them and send them back. A position identifies a row of the log. A row that affects
// many objects is read page by page, so a position can also be inside a row. During a full sync, a position is the last object that was
// sent. Positions are not signed: a made-up one reveals nothing that other requests do not.

import { isId } from '../content/ids.ts';
import { isLanguage } from '../content/text-rules.ts';

/** An object's place in a list that is sorted by language and id, or by language, time and id. */
export interface ObjectPlace {
  readonly language: string;
  readonly id: string;
  /** Null if the list is not sorted by time. */
  readonly at: number | null;
}

/** A position inside a row. Each object that shows the changed record is followed by the objects that link to it. */
export interface RowPlace {
  /** The last object that was sent; null if only the changed object itself was sent. */
  readonly shown: ObjectPlace | null;
  /** The id of the last sent object that links to it; null if none was sent. */
  readonly linking: string | null;
}

export type ChangePosition =
  | { readonly mode: 'changes'; readonly row: number; readonly inside: RowPlace | null }
  | { readonly mode: 'sync'; readonly row: number; readonly after: ObjectPlace | null }
  /** The end of the log, wherever it is when the request is answered. Only clients send it. */
  | { readonly mode: 'now'; readonly row: 0 };

const SYNC = 'sync';
/** `now` is also a valid row position, but of a row from 1970, and no log has rows that old. */
const NOW = 'now';
const ROW_PATTERN = /^[0-9a-z]{1,10}$/;
const TIME_PATTERN = /^-?[0-9a-z]{1,10}$/;
export const MAX_POSITION_LENGTH = 200;

export function encodePosition(position: ChangePosition): string {
  if (position.mode === 'now') return NOW;
  const row = position.row.toString(36);
  if (position.mode === 'sync') return [SYNC, row, ...encodePlace(position.after)].join('.');
  if (position.inside === null) return row;
  const { shown, linking } = position.inside;
  // The second part is empty if only the changed object itself was sent.
  return [row, encodePlace(shown)[0] ?? '', ...(linking === null ? [] : [linking])].join('.');
}

function encodePlace(place: ObjectPlace | null): readonly string[] {
  if (place === null) return [];
  const { language, id, at } = place;
  return [at === null ? `${language}:${id}` : `${language}:${id}:${at.toString(36)}`];
}

/** Undefined if the text is not a position. */
export function decodePosition(text: string): ChangePosition | undefined {
  if (text.length > MAX_POSITION_LENGTH) return undefined;
  if (text === NOW) return { mode: 'now', row: 0 };
  const parts = text.split('.');
  const isSync = parts[0] === SYNC;
  const [rowText = '', placeText, linking] = isSync ? parts.slice(1) : parts;
  if (!ROW_PATTERN.test(rowText) || parts.length > 3) return undefined;
  const row = Number.parseInt(rowText, 36);
  const place = placeText === undefined || placeText === '' ? null : decodePlace(placeText);
  if (place === undefined || !Number.isSafeInteger(row)) return undefined;
  if (isSync) return placeText === '' ? undefined : { mode: 'sync', row, after: place };
  if (placeText === undefined) return { mode: 'changes', row, inside: null };
  if (linking !== undefined && (place === null || !isId(linking))) return undefined;
  return { mode: 'changes', row, inside: { shown: place, linking: linking ?? null } };
}

function decodePlace(text: string): ObjectPlace | undefined {
  const [language = '', id = '', time, ...others] = text.split(':');
  if (others.length > 0 || !isLanguage(language) || !isId(id)) return undefined;
  if (time !== undefined && !TIME_PATTERN.test(time)) return undefined;
  return { language, id, at: time === undefined ? null : Number.parseInt(time, 36) };
}
