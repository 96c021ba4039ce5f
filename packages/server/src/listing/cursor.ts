// Encodes and decodes cursors: the position of the object at the edge of a page, and the direction to continue in. A cursor contains the
// sort keys themselves, so it stays valid if that object changes or is deleted. A seal (an HMAC-SHA-256 signature) binds it to the sorts,
// the site and the audience, so nobody can forge a position.

import { hash } from 'node:crypto';
import { fail, ok, type Result } from '../content/result.ts';
import { formatSorts, type Sort } from './sort.ts';

/** A sort key. Null is a missing value, which sorts last in both directions. */
export type KeyValue = string | number | null;

export interface Position {
  readonly keys: readonly KeyValue[];
  readonly id: string;
}

/** A position whose keys are too long for a cursor. The keys are looked up again and compared with their digest. */
export interface DistantPosition {
  readonly digest: string;
  readonly id: string;
}

/** The edge of a page: the object after which the next page starts. */
export interface Edge<At extends Position | DistantPosition = Position> {
  readonly position: At;
  /** Whether the next page includes the object at the position, as it does after an empty page. */
  readonly isInclusive: boolean;
}

export interface Cursor extends Edge<Position | DistantPosition> {
  /** Whether to continue towards the end of the list, or back towards its start. */
  readonly isForward: boolean;
}

export const MAX_CURSOR_LENGTH = 1024;
const MAX_BYTES = (MAX_CURSOR_LENGTH * 3) / 4;
/** Half of the hash is enough: trying 2^128 seals is impossible. */
const SEAL_BYTES = 16;
const SEPARATOR = '\0';
/** Reused, because allocating a buffer would cost more than filling it. A character takes at most three bytes. */
const SCRATCH = Buffer.allocUnsafeSlow(SEAL_BYTES + MAX_BYTES * 3);

/** The site and the audience that a cursor belongs to. It is invalid for all others. */
export interface CursorRealm {
  readonly key: CursorKey;
  readonly siteId: string;
  readonly audience: string;
}

/** The first characters of a cursor: its direction, whether it is inclusive, and the form of its position. */
const HEAD = /^([np])([=>])([kd])$/;

export function encodeCursor(
  { position, isInclusive }: Edge,
  isForward: boolean,
  sorts: readonly Sort[],
  realm: CursorRealm,
): string {
  const head = `${isForward ? 'n' : 'p'}${isInclusive ? '=' : '>'}`;
  const cursor =
    seal([`${head}k`, position.id, ...position.keys.map(encodeKey)], sorts, realm) ??
    seal([`${head}d`, position.id, digestKeys(position.keys)], sorts, realm);
  if (cursor === undefined) throw new Error('An id is too long for a cursor');
  return cursor;
}

export function decodeCursor(text: string, sorts: readonly Sort[], realm: CursorRealm): Result<Cursor, 'invalid'> {
  const [head = '', id = '', ...rest] = unseal(text, sorts, realm) ?? [];
  const [, direction, bound, form] = HEAD.exec(head) ?? [];
  if (id === '' || direction === undefined) return fail('invalid');
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

/** Equal keys have the same digest. */
export function digestKeys(keys: readonly KeyValue[]): string {
  return hash('sha256', keys.map(encodeKey).join(SEPARATOR), 'base64url');
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

/** Undefined if the cursor would be too long. */
function seal(parts: readonly string[], sorts: readonly Sort[], realm: CursorRealm): string | undefined {
  const content = parts.join(SEPARATOR);
  if (content.length > MAX_BYTES - SEAL_BYTES) return undefined;
  const length = SEAL_BYTES + SCRATCH.write(content, SEAL_BYTES);
  if (length > MAX_BYTES) return undefined;
  SCRATCH.write(realm.key.sign(nameScope(sorts, realm), content), 0, SEAL_BYTES, 'latin1');
  return SCRATCH.toString('base64url', 0, length);
}

function unseal(text: string, sorts: readonly Sort[], realm: CursorRealm): readonly string[] | undefined {
  if (text.length > MAX_CURSOR_LENGTH) return undefined;
  const length = SCRATCH.write(text, 'base64url');
  // Base64 can encode the same bytes in several ways. Only our own encoding is valid.
  if (length <= SEAL_BYTES || SCRATCH.toString('base64url', 0, length) !== text) return undefined;
  const content = SCRATCH.toString('utf8', SEAL_BYTES, length);
  const given = SCRATCH.toString('latin1', 0, SEAL_BYTES);
  return isSameSeal(realm.key.sign(nameScope(sorts, realm), content), given) ? content.split(SEPARATOR) : undefined;
}

/** Cached, because most lists use sorts that were used before, and equal sorts are the same object. */
const sortNames = new WeakMap<readonly Sort[], string>();

/** The sorts, site and audience. They are part of the seal but not of the cursor itself. */
function nameScope(sorts: readonly Sort[], { siteId, audience }: CursorRealm): string {
  let name = sortNames.get(sorts);
  if (name === undefined) {
    name = formatSorts(sorts);
    sortNames.set(sorts, name);
  }
  return `${siteId}${SEPARATOR}${audience}${SEPARATOR}${name}${SEPARATOR}`;
}

/** Takes the same time regardless of where the two values differ. */
function isSameSeal(made: string, given: string): boolean {
  let difference = 0;
  for (let index = 0; index < SEAL_BYTES; index++) difference |= made.charCodeAt(index) ^ given.charCodeAt(index);
  return difference === 0;
}

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;

/**
 * HMAC-SHA-256 with one key. It computes the two hashes over reused buffers, because creating a Node.js object for each seal would take
 * ten times as long.
 */
export class CursorKey {
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  /** @param key at most 64 bytes */
  constructor(key: Buffer) {
    this.#inner = Buffer.alloc(BLOCK_BYTES + MAX_BYTES * 3, 0x36);
    this.#outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES, 0x5c);
    for (const [index, byte] of key.entries()) {
      this.#inner[index] = byte ^ 0x36;
      this.#outer[index] = byte ^ 0x5c;
    }
  }

  /** The seal, one character per byte. */
  sign(scope: string, content: string): string {
    const text = `${scope}${content}`;
    const inner = this.#room(text.length * 3);
    const length = BLOCK_BYTES + inner.write(text, BLOCK_BYTES);
    this.#outer.write(hash('sha256', inner.subarray(0, length), 'binary'), BLOCK_BYTES, HASH_BYTES, 'latin1');
    return hash('sha256', this.#outer, 'binary').slice(0, SEAL_BYTES);
  }

  /** If there are many sorts, their handles may need a larger buffer. */
  #room(bytes: number): Buffer {
    if (BLOCK_BYTES + bytes <= this.#inner.length) return this.#inner;
    const larger = Buffer.alloc(BLOCK_BYTES + bytes);
    this.#inner.copy(larger, 0, 0, BLOCK_BYTES);
    return larger;
  }
}
