// GET /api/v1/content/{id}: parse, select, render.

import { isId } from '../content/ids.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { invalidParameter, type Problem, PROBLEMS } from '../http/problems.ts';
import { parseObjectQuery } from '../listing/list-query.ts';
import type { Audience, CatalogMemo, DeliveryReads } from '../storage/port.ts';
import type { Answer } from './answer.ts';
import { findTemplates } from './content-templates.ts';
import { renderContent } from './render-content.ts';

export interface ContentRequest {
  readonly id: string;
  readonly queryString: string;
  readonly language: string | undefined;
}

/** Undefined where the site's catalog moved while the request was answered. */
export async function getContent(
  request: ContentRequest,
  memo: CatalogMemo,
  audience: Audience,
  reads: DeliveryReads,
): Promise<Result<Answer, Problem> | undefined> {
  const languages = parseObjectQuery(request, memo.catalog);
  if (!languages.ok) return fail(invalidParameter(languages.problem));
  if (!isId(request.id)) return fail(PROBLEMS.contentNotFound);
  const selected = await reads.selectContent(request.id, languages.value, memo, audience);
  if (selected === undefined) return undefined;
  if (selected.row === undefined) return fail(PROBLEMS.contentNotFound);
  return ok({ body: renderContent(selected.row, selected.related, findTemplates(memo.catalog)), link: undefined });
}
