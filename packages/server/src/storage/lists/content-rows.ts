// Content rows: an id and a body, which is checked against its digest. Statements leave out large bodies and return their sizes instead.
// Large bodies are read later, if their total size is within the limit.

import { type RawBuilder, sql } from 'kysely';
import type { AnswerRoom } from '../../content/answer-limit.ts';
import { type Body, decodeBody, isWhole } from '../../content/body.ts';
import { type BatchStatement, queryBatch } from '../batch.ts';
import type { Cells, Procedure, SqlValue } from '../statement.ts';

/** The size limit when many objects are read. If no body is larger than this, even the longest list is read in a few milliseconds. */
const LARGE_BYTES = 16 * 1024;
/** If a body was left out, this prefix comes before its size. The prefix is not a digit, because a body starts with a digit. */
const SIZE_MARK = '#';

/** The body, or its size if it is larger than `mostBytes`. Both engines can determine the length of text without reading it. */
export function bodyUpTo(mostBytes: number): RawBuilder<unknown> {
  const size = sql`octet_length(b.body)`;
  return sql`case when ${size} <= ${sql.lit(mostBytes)} then b.body else ${sql.lit(SIZE_MARK)} || ${size} end as body`;
}

export const bodyUnlessLarge = bodyUpTo(LARGE_BYTES);

/** The size of a body that was left out; undefined if the body is present. */
function readSize(body: SqlValue | undefined): number | undefined {
  return typeof body === 'string' && body.startsWith(SIZE_MARK) ? Number(body.slice(SIZE_MARK.length)) : undefined;
}

/** An object with its body, or with the size of its body. */
export interface FoundBody {
  readonly id: string;
  readonly body: string;
}

/** The same objects, all with their bodies. Undefined if the bodies are too large in total; in that case, none of them are read. */
export function* fillBodies(
  found: readonly FoundBody[],
  siteNo: number,
  selectBodies: BatchStatement,
  mostBytes: number,
): Procedure<readonly FoundBody[] | undefined> {
  const missing: string[] = [];
  let bytes = 0;
  for (const { id, body } of found) {
    const size = readSize(body);
    bytes += size ?? body.length;
    if (size !== undefined) missing.push(id);
  }
  if (bytes > mostBytes) return undefined;
  if (missing.length === 0) return found;
  const rows = yield* queryBatch<FoundBody>(selectBodies, missing, { site: siteNo });
  const bodies = new Map(rows.map(({ id, body }) => [id, body]));
  return found.map((each) => ({ id: each.id, body: bodies.get(each.id) ?? each.body }));
}

export interface ContentRow {
  readonly id: string;
  readonly body: Body;
}

/** @param cells the id and the body, followed by any other cells */
export function openRow(cells: Cells): ContentRow {
  return { id: String(cells[0]), body: decodeBody(String(cells[1])) };
}

/** Whether the row's body was left out. */
export function lacksBody(cells: Cells): boolean {
  return readSize(cells[1]) !== undefined;
}

/** Adds the missing bodies to rows. Returns undefined if the bodies do not fit. */
export function* openLargeRows(
  rows: readonly Cells[],
  siteNo: number,
  selectBodies: BatchStatement,
  { bytesRead }: AnswerRoom,
): Procedure<readonly ContentRow[] | undefined> {
  const found = rows.map(([id, body]) => ({ id: String(id), body: String(body) }));
  const filled = yield* fillBodies(found, siteNo, selectBodies, bytesRead);
  return filled?.map(({ id, body }) => ({ id, body: decodeBody(body) }));
}

/** A page that is too large. Its large bodies were not read. */
export interface OversizedPage {
  readonly mode: 'oversized';
  /** The number of objects on the page. */
  readonly objects: number;
}

/** The bytes of a stored body differ from those that were written. */
export class DamagedContent extends Error {
  override readonly name = 'DamagedContent';
  readonly contentId: string;

  constructor(contentId: string) {
    super(`The stored text of content ${contentId} is damaged: it does not match its digest.`);
    this.contentId = contentId;
  }
}

/** This many marks take up one megabyte. Bodies whose marks share a slot may be checked more than once. */
const PLACES = 1 << 18;
/** This many characters of a digest are enough to tell all bodies apart. */
const DIGEST_CHARACTERS = 8;

/**
 * Checks that bodies have not changed since they were saved. A body contains its digest, which is checked the first time the body is read
 * after startup. Checking it on every read would make fetching an object 10% slower, and slow down lists even more.
 */
export class CheckedBodies {
  readonly #marks = new Uint32Array(PLACES);

  /** Throws if a body is damaged. */
  check(rows: readonly { readonly id: string; readonly body: Body }[]): void {
    for (const { id, body } of rows) {
      const mark = buildMark(body.digest);
      const place = mark & (PLACES - 1);
      if (this.#marks[place] === mark) continue;
      if (!isWhole(body, id)) throw new DamagedContent(id);
      this.#marks[place] = mark;
    }
  }
}

/** The mark is a number, because a substring would keep the whole body in memory. It is never 0, which means an empty slot. */
function buildMark(digest: string): number {
  let mark = 0x811c9dc5;
  for (let index = 0; index < DIGEST_CHARACTERS; index += 1) {
    mark = Math.imul(mark ^ digest.charCodeAt(index), 0x01000193);
  }
  return mark >>> 0 || 1;
}
