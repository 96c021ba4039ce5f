// Renders rows as a response: the objects as JSON, the envelope around them, and a validator. It performs no I/O and hashes no body.

import { hash } from 'node:crypto';
import { MOST_ANSWER } from '../content/answer-limit.ts';
import { isAscii } from '../content/body.ts';
import { markContents } from '../content/mark-content.ts';
import {
  hasFiles,
  isTooLarge,
  placeFiles,
  type Related,
  renderContent,
  rendersAscii,
} from '../content/render-content.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { invalidParameter, PROBLEMS, type Problem } from '../http/problems.ts';
import { buildCursorAnswer, buildSimpleAnswer, type ListAnswer } from '../listing/envelope.ts';
import { INVALID_CURSOR } from '../listing/list-query.ts';
import type { Found, ListPage } from '../storage/delivery-reads.ts';
import type { ContentRow } from '../storage/lists/content-rows.ts';
import type { Answer } from './answer.ts';
import type { Asked, AskedList, ListRules } from './delivery-request.ts';

/** A rendered response. */
export interface TextAnswer extends Answer {
  readonly body: string;
}

/** A response that is too large to be built on this thread. */
export interface Oversized {
  /** The number of objects that the response would have had. */
  readonly oversized: number;
}

export function renderAnswer(
  { asked, page, related: stored }: Found<Asked>,
  { isEmptySlugNotFound }: Pick<ListRules, 'isEmptySlugNotFound'>,
): Result<TextAnswer, Problem | Oversized> {
  if (page === undefined) {
    return fail(asked.kind === 'object' ? PROBLEMS.contentNotFound : invalidParameter(INVALID_CURSOR));
  }
  if (page.mode === 'oversized') return fail({ oversized: page.objects });
  const { rows } = page;
  const isEmptySlug = asked.kind === 'list' && asked.query.shape.hasSlugFilter && rows.length === 0;
  if (isEmptySlug && isEmptySlugNotFound && page.mode !== 'object' && isWhollyEmpty(page)) {
    return fail(PROBLEMS.contentNotFound);
  }
  const { memo, room, version } = asked.reading;
  if (stored === undefined) return fail({ oversized: rows.length });
  const placed = placeFiles(stored, asked.baseUrl);
  const { templates } = memo;
  const marked = asked.isMarked ? markContents(rows, placed, memo.catalog) : undefined;
  if (asked.isMarked && marked === undefined) return fail({ oversized: rows.length });
  const { rows: shown, related } = marked ?? { rows, related: placed };
  const objects: string[] = [];
  let size = 0;
  for (const row of shown) {
    const object = renderContent(row, related, templates);
    size += object.length;
    if (size > room.characters) return fail({ oversized: rows.length });
    objects.push(marked === undefined ? object : addSourceMap(object, marked.sourceMaps[objects.length]));
  }
  const { body, frame, link } =
    asked.kind === 'object' || page.mode === 'object'
      ? { body: objects[0] ?? '', frame: '', link: undefined }
      : buildEnvelope(objects, page, asked);
  if (body.length > room.characters || isTooLarge(body)) return fail({ oversized: rows.length });
  const isPlain = isAscii(frame) && rendersAscii(shown, related, templates);
  const validator = buildValidator(rows, related, version, frame, asked.baseUrl) + (asked.isMarked ? MARKED : '');
  return ok({ body, isAscii: isPlain, validator, link });
}

/** Added to the validator of a response with marks. Marks depend only on data that the response already depends on. */
const MARKED = '-m';

/** @param object the JSON of an object */
function addSourceMap(object: string, sourceMap = '[]'): string {
  return `${object.slice(0, -1)},"source_map":${sourceMap}}`;
}

/** Distinguishes an empty list from a page past the end, which is empty too. */
function isWhollyEmpty(page: ListPage): boolean {
  return page.mode === 'simple' ? page.total === 0 : page.previous === null && page.next === null;
}

function buildEnvelope(objects: readonly string[], page: ListPage, { query, address }: AskedList): ListAnswer {
  const { paging } = query;
  const { limit, sorts } = query.shape;
  if (page.mode === 'cursor') {
    const { previous, next } = page;
    return buildCursorAnswer({ objects, limit, sorts, realm: address.realm, previous, next }, address);
  }
  const number = paging.mode === 'simple' ? paging.page : 1;
  return buildSimpleAnswer({ objects, limit, page: number, total: page.total }, address);
}

/** Changes when a release renders the same content as different bytes. Older copies held by clients then no longer count as current. */
const RENDERING = '-2';

/**
 * Changes whenever the bytes of the response change. It is computed from the parts of the response, without reading the bytes. Everything
 * that rendering adds must be represented here: the saved bodies by their digests; authors, types, fields, assets and the site by the
 * version of the catalog; linked content by its digests and its visibility; file URLs by their base.
 * @param frame the envelope around the objects
 */
export function buildValidator(
  rows: readonly ContentRow[],
  related: Related,
  catalogVersion: number,
  frame: string,
  baseUrl: string,
): string {
  const version = catalogVersion.toString(36) + RENDERING;
  const [only] = rows;
  const isPlain = related.links.size === 0 && !hasFiles(related);
  if (rows.length === 1 && only !== undefined && isPlain) return `${only.body.digest}-${version}`;
  let text = `${version} ${baseUrl} ${frame}`;
  for (const row of rows) text += ` ${row.body.digest}`;
  for (const [id, row] of related.links) text += ` ${id}=${row.body.digest}`;
  for (const id of related.visibleIds) text += ` ${id}`;
  return hash('sha256', text, 'base64url').slice(0, 22);
}

/** The problem for a response that is too large for any thread. */
export function answerTooLarge({ oversized: objects }: Oversized): Problem {
  if (objects === 1)
    return invalidParameter(`The object, including everything embedded in it, is larger than ${MOST_ANSWER}.`);
  return invalidParameter(
    `The ${objects} objects together are larger than ${MOST_ANSWER}; ask for fewer with the limit parameter.`,
  );
}
