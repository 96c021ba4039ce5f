// The cursor: where the object at the edge of a set stands in the order, and the direction in which to go on.
// It holds the sort keys themselves, so it stays valid when that object changes or goes. A checksum refuses altered text.

import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { fail, ok, type Result } from '../content/result.ts';
import { formatSorts, type Sort } from './sort.ts';

/** A sort key; null stands for a missing value, which comes last in both directions. */
export type KeyValue = string | number | null;

export interface Position {
  readonly keys: readonly KeyValue[];
  readonly id: string;
}

/** A position whose keys are too long for a cursor: they are looked up again, and known by their digest. */
export interface DistantPosition {
  readonly digest: string;
  readonly id: string;
}

/** The edge of a set: the object beyond which the next set begins. */
export interface Edge<At extends Position | DistantPosition = Position> {
  readonly position: At;
  /** Whether the object at the position belongs to the next set; so it is where a set was found empty. */
  readonly isInclusive: boolean;
}

export interface Cursor extends Edge<Position | DistantPosition> {
  /** Towards the end of the list, or back towards its start. */
  readonly isForward: boolean;
}

export const MAX_CURSOR_LENGTH = 1024;
const MAX_BYTES = (MAX_CURSOR_LENGTH * 3) / 4;
const SUM_BYTES = 4;
const SEPARATOR = '\0';
/** Used again and again: a buffer of its own costs more than what is done with it. A character takes three bytes at most. */
const SCRATCH = Buffer.allocUnsafeSlow(MAX_BYTES * 3);

/** The first characters of a cursor: its direction, whether it is inclusive, and how it tells its position. */
const HEAD = /^([np])([=>])([kd])(.+)$/;

export function encodeCursor({ position, isInclusive }: Edge, isForward: boolean, sorts: readonly Sort[]): string {
  const head = `${isForward ? 'n' : 'p'}${isInclusive ? '=' : '>'}`;
  const sum = fingerprintSorts(sorts);
  const cursor =
    seal([`${head}k${sum}`, position.id, ...position.keys.map(encodeKey)]) ??
    seal([`${head}d${sum}`, position.id, digestKeys(position.keys)]);
  if (cursor === undefined) throw new Error('An id is too long for a cursor');
  return cursor;
}

export function decodeCursor(text: string, sorts: readonly Sort[]): Result<Cursor, 'invalid'> {
  const [head = '', id = '', ...rest] = unseal(text) ?? [];
  const [, direction, bound, form, sum] = HEAD.exec(head) ?? [];
  if (id === '' || sum !== fingerprintSorts(sorts)) return fail('invalid');
  const position = form === 'k' ? decodeKeys(id, rest, sorts) : decodeDigest(id, rest);
  if (position === undefined) return fail('invalid');
  return ok({ position, isInclusive: bound === '=', isForward: direction === 'n' });
}

function decodeKeys(id: string, parts: readonly string[], sorts: readonly Sort[]): Position | undefined {
  const keys = parts.map(decodeKey);
  if (keys.length !== sorts.length || !keys.every(isKeyValue)) return undefined;
  return keys.every((key, index) => fitsSort(key, sorts[index])) ? { keys, id } : undefined;
}

function decodeDigest(id: string, parts: readonly string[]): DistantPosition | undefined {
  const [digest, ...more] = parts;
  return digest === undefined || more.length > 0 ? undefined : { digest, id };
}

/** The same for the same keys, wherever they come from. */
export function digestKeys(keys: readonly KeyValue[]): string {
  return hash('sha256', keys.map(encodeKey).join(SEPARATOR), 'base64url');
}

/** Most lists are in the default order, whose sorts are always the same value. */
const fingerprints = new WeakMap<readonly Sort[], string>();

function fingerprintSorts(sorts: readonly Sort[]): string {
  const known = fingerprints.get(sorts);
  if (known !== undefined) return known;
  const fingerprint = crc32(formatSorts(sorts)).toString(36);
  fingerprints.set(sorts, fingerprint);
  return fingerprint;
}

function encodeKey(key: KeyValue): string {
  if (key === null) return '-';
  return typeof key === 'number' ? `n${key}` : `t${key}`;
}

function decodeKey(text: string): KeyValue | undefined {
  if (text === '-') return null;
  const value = text.slice(1);
  if (text.startsWith('t')) return value;
  const number = Number(value);
  return text.startsWith('n') && value !== '' && Number.isFinite(number) ? number : undefined;
}

function isKeyValue(key: KeyValue | undefined): key is KeyValue {
  return key !== undefined;
}

function fitsSort(key: KeyValue, sort: Sort | undefined): boolean {
  if (sort === undefined) return false;
  if (key === null) return true;
  const isText = sort.kind === 'field' ? sort.accessor === 'text' : !sort.attribute.endsWith('_at');
  return typeof key === (isText ? 'string' : 'number');
}

/** Undefined where it would be too long. */
function seal(parts: readonly string[]): string | undefined {
  const content = parts.join(SEPARATOR);
  if (content.length > MAX_BYTES - SUM_BYTES) return undefined;
  const length = SUM_BYTES + SCRATCH.write(content, SUM_BYTES);
  if (length > MAX_BYTES) return undefined;
  SCRATCH.writeUInt32BE(crc32(content), 0);
  return SCRATCH.toString('base64url', 0, length);
}

function unseal(text: string): readonly string[] | undefined {
  if (text.length > MAX_CURSOR_LENGTH) return undefined;
  const length = SCRATCH.write(text, 'base64url');
  // Base64 has several spellings of the same bytes; only one of them is handed out.
  if (length <= SUM_BYTES || SCRATCH.toString('base64url', 0, length) !== text) return undefined;
  const content = SCRATCH.toString('utf8', SUM_BYTES, length);
  return crc32(content) === SCRATCH.readUInt32BE(0) ? content.split(SEPARATOR) : undefined;
}
