// GET /api/v1/content/{id}: parse, select, render.

import { isTooLarge } from '../content/answer-limit.ts';
import { findTemplates } from '../content/content-templates.ts';
import { isId } from '../content/ids.ts';
import { renderContent, rendersAscii } from '../content/render-content.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { invalidParameter, PROBLEMS, type Problem } from '../http/problems.ts';
import { parseObjectQuery } from '../listing/list-query.ts';
import {
  buildContentQuery,
  type DeliveryReads,
  lacksBody,
  openRow,
  type Procedure,
  type Reading,
  selectTranslation,
} from '../storage/port.ts';
import type { TextAnswer } from './answer.ts';
import type { Oversized } from './answer-size.ts';
import { buildValidator } from './build-validator.ts';

export interface ContentRequest {
  readonly id: string;
  readonly queryString: string;
  readonly language: string | undefined;
}

const OVERSIZED: Oversized = { oversized: 1 };

export function* getContent(
  request: ContentRequest,
  reading: Reading,
  reads: DeliveryReads,
): Procedure<Result<TextAnswer, Problem | Oversized>> {
  const { memo } = reading;
  const languages = parseObjectQuery(request, memo.catalog);
  if (!languages.ok) return fail(invalidParameter(languages.problem));
  if (!isId(request.id)) return fail(PROBLEMS.contentNotFound);
  // The most frequent read of all takes its one query without the help of another generator.
  const found =
    languages.value === null
      ? (yield buildContentQuery(request.id, reading)).rows[0]
      : yield* selectTranslation(request.id, languages.value, reading);
  if (found === undefined) return fail(PROBLEMS.contentNotFound);
  const row = lacksBody(found) ? yield* reads.openLargeRow(found, reading) : openRow(found);
  if (row === undefined) return fail(OVERSIZED);
  const rows = [row];
  reads.refuseDamaged(rows);
  const related = reads.recallRelated(rows, reading) ?? (yield* reads.selectRelated(rows, reading));
  if (related === undefined) return fail(OVERSIZED);
  const templates = findTemplates(memo.catalog);
  const body = renderContent(row, related, templates);
  if (body.length > reading.room.characters || isTooLarge(body)) return fail(OVERSIZED);
  const validator = buildValidator(rows, related, reading.version, '');
  return ok({ body, isAscii: rendersAscii(rows, related, templates), validator, link: undefined });
}
