// A typeset body: JSON text in pieces, one per line, which rendering only has to join. It contains everything that a response needs from
// an object, because each additional column would make lists 5% slower.

import { createHash, hash } from 'node:crypto';

/** Line breaks in JSON strings are always escaped, so a line break can separate pieces. */
const PIECE_SEPARATOR = '\n';

/**
 * The pieces of a body: the mark (type, author, digest and encoding), the ids of linked content and of assets as JSON lists (empty if
 * there are none), the parts of the object's JSON between the gaps, and the field values in the order of their slots. An empty piece is a
 * missing value.
 */
export const PIECES = {
  mark: 0,
  links: 1,
  assets: 2,
  head: 3,
  uri: 4,
  language: 5,
  seo: 6,
  foot: 7,
  fields: 8,
} as const;

export interface Body {
  readonly typeNo: number;
  readonly authorNo: number | null;
  /** Changes whenever the body changes. */
  readonly digest: string;
  /**
   * Whether the body is all ASCII. If so, its length is its size in bytes. Counting bytes would make lists 5% slower.
   */
  readonly isAscii: boolean;
  readonly pieces: readonly string[];
}

/** @param pieces everything after the mark */
export function encodeBody(typeNo: number, authorNo: number | null, pieces: readonly string[]): string {
  const text = pieces.join(PIECE_SEPARATOR);
  return `${buildMark(typeNo, authorNo, text)}${PIECE_SEPARATOR}${text}`;
}

function buildMark(typeNo: number, authorNo: number | null, text: string): string {
  const owner = `${typeNo} ${authorNo ?? ''}`;
  const digest = buildTextDigest(`${owner}${PIECE_SEPARATOR}${text}`);
  return `${owner} ${digest} ${isAscii(text) ? 'a' : 'u'}`;
}

/** Builds the same mark without joining the pieces. For long text, joining them would take twice the memory. */
function buildLongMark(typeNo: number, authorNo: number | null, pieces: readonly string[]): string {
  const owner = `${typeNo} ${authorNo ?? ''}`;
  const hasher = createHash('sha256').update(owner);
  for (const piece of pieces) hasher.update(PIECE_SEPARATOR).update(piece);
  return `${owner} ${shorten(hasher.digest('base64url'))} ${pieces.every(isAscii) ? 'a' : 'u'}`;
}

export function decodeBody(text: string): Body {
  const pieces = splitPieces(text);
  const mark = pieces[PIECES.mark] ?? '';
  const typeEnd = mark.indexOf(' ');
  const authorEnd = mark.indexOf(' ', typeEnd + 1);
  const digestEnd = mark.indexOf(' ', authorEnd + 1);
  return {
    typeNo: Number(mark.slice(0, typeEnd)),
    authorNo: authorEnd === typeEnd + 1 ? null : Number(mark.slice(typeEnd + 1, authorEnd)),
    digest: mark.slice(authorEnd + 1, digestEnd),
    isAscii: mark.endsWith('a'),
    pieces,
  };
}

/** Whether the body is undamaged and belongs to the content with this id. */
export function isWhole({ typeNo, authorNo, pieces }: Body, id: string): boolean {
  const rest = pieces.slice(PIECES.mark + 1);
  const mark = rest.some(isLong)
    ? buildLongMark(typeNo, authorNo, rest)
    : buildMark(typeNo, authorNo, rest.join(PIECE_SEPARATOR));
  const isAsEncoded = pieces[PIECES.mark] === mark;
  return isAsEncoded && pieces[PIECES.head]?.startsWith(`{"id":"${id}",`) === true;
}

const LONG_PIECE = 64 * 1024;

function isLong(piece: string): boolean {
  return piece.length > LONG_PIECE;
}

/** Returns the body with a different author, or without one. A damaged body stays unchanged, because a new digest would hide the damage. */
export function replaceAuthor(text: string, authorNo: number | null): string {
  const { typeNo, authorNo: before, pieces } = decodeBody(text);
  const rest = pieces.slice(PIECES.mark + 1);
  return encodeBody(typeNo, before, rest) === text ? encodeBody(typeNo, authorNo, rest) : text;
}

export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** Splits without copying, and takes half as long as a general-purpose split. */
function splitPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let end = text.indexOf(PIECE_SEPARATOR); end !== -1; end = text.indexOf(PIECE_SEPARATOR, start)) {
    pieces.push(text.slice(start, end));
    start = end + 1;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** The ids in the piece for links or for assets. */
export function readIds(body: Body, piece: typeof PIECES.links | typeof PIECES.assets): readonly string[] {
  const text = body.pieces[piece] ?? '';
  return text === '' ? [] : parseIds(text);
}

export function refersToOthers({ pieces }: Body): boolean {
  return pieces[PIECES.links] !== '' || pieces[PIECES.assets] !== '';
}

/** Pieces contain only JSON that the typesetting step has written. */
export function parseIds(text: string): readonly string[] {
  return JSON.parse(text) as readonly string[];
}

/** A digest that shows only whether two strings are equal. */
export function buildTextDigest(text: string): string {
  return shorten(hash('sha256', text, 'base64url'));
}

function shorten(digest: string): string {
  return digest.slice(0, 22);
}
