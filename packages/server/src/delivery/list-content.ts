// GET /api/v1/content: parse, select, render.

import { isTooLarge } from '../content/answer-limit.ts';
import { isAscii } from '../content/body.ts';
import { findTemplates } from '../content/content-templates.ts';
import { renderContent, rendersAscii } from '../content/render-content.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { invalidParameter, PROBLEMS, type Problem } from '../http/problems.ts';
import type { CursorKey, CursorRealm } from '../listing/cursor.ts';
import { buildCursorAnswer, buildSimpleAnswer, type ListAddress, type ListAnswer } from '../listing/envelope.ts';
import { INVALID_CURSOR, type ListQuery, type ListRequest, parseListQuery } from '../listing/list-query.ts';
import type { DeliveryReads, ListPage, Procedure, Reading } from '../storage/port.ts';
import type { TextAnswer } from './answer.ts';
import type { Oversized } from './answer-size.ts';
import { buildValidator } from './build-validator.ts';
import { findKnownShapes } from './known-shapes.ts';

export interface ListRules {
  /** Whether a slug filter that matches nothing is answered as not found. */
  readonly isEmptySlugNotFound: boolean;
  /** Seals the cursors that lists hand out. */
  readonly cursorKey: CursorKey;
}

export function* listContent(
  address: Omit<ListRequest, 'realm'> & ListAddress,
  rules: ListRules,
  reading: Reading,
  reads: DeliveryReads,
): Procedure<Result<TextAnswer, Problem | Oversized>> {
  const { memo, room } = reading;
  const realm = { key: rules.cursorKey, siteId: memo.catalog.site.id, audience: reading.audience };
  const request = { ...address, realm };
  const query = parseListQuery(request, memo.catalog, findKnownShapes(memo.catalog));
  if (!query.ok) return fail(invalidParameter(query.problem));
  const page = yield* reads.selectPage(query.value, reading);
  if (page === undefined) return fail(invalidParameter(INVALID_CURSOR));
  if (page.mode === 'oversized') return fail({ oversized: page.objects });
  reads.refuseDamaged(page.rows);
  const related = reads.recallRelated(page.rows, reading) ?? (yield* reads.selectRelated(page.rows, reading));
  if (rules.isEmptySlugNotFound && query.value.shape.hasSlugFilter && isWhollyEmpty(page)) {
    return fail(PROBLEMS.contentNotFound);
  }
  if (related === undefined) return fail({ oversized: page.rows.length });
  const templates = findTemplates(memo.catalog);
  const objects: string[] = [];
  let size = 0;
  for (const row of page.rows) {
    const object = renderContent(row, related, templates);
    size += object.length;
    if (size > room.characters) return fail({ oversized: page.rows.length });
    objects.push(object);
  }
  const { body, frame, link } = buildAnswer(objects, page, query.value, request);
  if (body.length > room.characters || isTooLarge(body)) return fail({ oversized: page.rows.length });
  const isPlain = isAscii(frame) && rendersAscii(page.rows, related, templates);
  return ok({ body, isAscii: isPlain, link, validator: buildValidator(page.rows, related, reading.version, frame) });
}

/** A page past the end is empty too, but the list is not. */
function isWhollyEmpty(page: ListPage): boolean {
  if (page.mode === 'simple') return page.total === 0;
  return page.rows.length === 0 && page.previous === null && page.next === null;
}

function buildAnswer(
  objects: readonly string[],
  page: ListPage,
  query: ListQuery,
  address: ListAddress & { readonly realm: CursorRealm },
): ListAnswer {
  const { paging } = query;
  const { limit, sorts } = query.shape;
  if (page.mode === 'cursor') {
    const { previous, next } = page;
    return buildCursorAnswer({ objects, limit, sorts, realm: address.realm, previous, next }, address);
  }
  const number = paging.mode === 'simple' ? paging.page : 1;
  return buildSimpleAnswer({ objects, limit, page: number, total: page.total }, address);
}
