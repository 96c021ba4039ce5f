// The cursor: the keys and the id of the object at the edge of a set, and the direction in which to go on.
// It names no row, so it stays valid when that object changes or goes. A checksum refuses altered text.

import { crc32 } from 'node:zlib';
import { fail, ok, type Result } from '../content/result.ts';
import { formatSorts, type Sort } from './sort.ts';

/** A sort key; null stands for a missing value, which comes last in both directions. */
export type KeyValue = string | number | null;

export interface Position {
  readonly keys: readonly KeyValue[];
  readonly id: string;
}

export interface Cursor {
  readonly position: Position;
  /** Towards the end of the list, or back towards its start. */
  readonly isForward: boolean;
}

export const MAX_CURSOR_LENGTH = 1024;

const SEPARATOR = '\0';
const VERSION = '1';

export function encodeCursor(cursor: Cursor, sorts: readonly Sort[]): string {
  const parts = [
    `${VERSION}${cursor.isForward ? 'n' : 'p'}${fingerprintSorts(sorts)}`,
    cursor.position.id,
    ...cursor.position.keys.map(encodeKey),
  ];
  return seal(parts.join(SEPARATOR));
}

export function decodeCursor(text: string, sorts: readonly Sort[]): Result<Cursor, 'invalid'> {
  const content = unseal(text);
  if (content === undefined) return fail('invalid');
  const [head = '', id = '', ...encodedKeys] = content.split(SEPARATOR);
  if (head !== `${VERSION}n${fingerprintSorts(sorts)}` && head !== `${VERSION}p${fingerprintSorts(sorts)}`) {
    return fail('invalid');
  }
  const keys = encodedKeys.map(decodeKey);
  if (id === '' || keys.length !== sorts.length || !keys.every(isKeyValue)) return fail('invalid');
  if (!keys.every((key, index) => fitsSort(key, sorts[index]))) return fail('invalid');
  return ok({ position: { keys, id }, isForward: head[1] === 'n' });
}

function fingerprintSorts(sorts: readonly Sort[]): string {
  return crc32(formatSorts(sorts)).toString(36);
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

function seal(content: string): string {
  const bytes = Buffer.from(content);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return Buffer.concat([sum, bytes]).toString('base64url');
}

function unseal(text: string): string | undefined {
  if (text.length > MAX_CURSOR_LENGTH) return undefined;
  const sealed = Buffer.from(text, 'base64url');
  // Base64 has several spellings of the same bytes; only the one that was handed out is valid.
  if (sealed.length < 5 || sealed.toString('base64url') !== text) return undefined;
  const bytes = sealed.subarray(4);
  return crc32(bytes) === sealed.readUInt32BE(0) ? bytes.toString() : undefined;
}
