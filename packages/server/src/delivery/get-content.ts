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
  openContent,
  type Procedure,
  type Reading,
  selectTranslation,
} from '../storage/port.ts';
import type { Answer } from './answer.ts';
import { answerTooLarge } from './answer-size.ts';
import { buildValidator } from './build-validator.ts';

export interface ContentRequest {
  readonly id: string;
  readonly queryString: string;
  readonly language: string | undefined;
}

export function* getContent(
  request: ContentRequest,
  reading: Reading,
  reads: DeliveryReads,
): Procedure<Result<Answer, Problem>> {
  const { memo } = reading;
  const languages = parseObjectQuery(request, memo.catalog);
  if (!languages.ok) return fail(invalidParameter(languages.problem));
  if (!isId(request.id)) return fail(PROBLEMS.contentNotFound);
  // The most frequent read of all takes its one query without the help of another generator.
  const row =
    languages.value === null
      ? openContent(yield buildContentQuery(request.id, reading))
      : yield* selectTranslation(request.id, languages.value, reading);
  if (row === undefined) return fail(PROBLEMS.contentNotFound);
  const rows = [row];
  reads.refuseDamaged(rows);
  const related = reads.recallRelated(rows, reading) ?? (yield* reads.selectRelated(rows, reading));
  if (related === undefined) return fail(answerTooLarge(1));
  const templates = findTemplates(memo.catalog);
  const body = renderContent(row, related, templates);
  if (isTooLarge(body)) return fail(answerTooLarge(1));
  const validator = buildValidator(rows, related, memo.version, '');
  return ok({ body, isAscii: rendersAscii(rows, related, templates), validator, link: undefined });
}
