// Serves the change feed: checks the reader, reads a page, waits if it is empty, and sends it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail, ok, type Result } from '../../content/result.ts';
import { writeProblem } from '../../http/problem-response.ts';
import { invalidParameter, PROBLEMS, type Problem, withHeaders } from '../../http/problems.ts';
import { readWhile } from '../../http/wait-for-turn.ts';
import { type ChangeQuery, parseChangeQuery } from '../../listing/change-query.ts';
import { readRawQuery } from '../../listing/query-parameters.ts';
import { type DeliveryRequest, parseDeliveryRequest, type RequestRules } from '../delivery-request.ts';
import { type AdmissionParts, admitReader } from './admit-reader.ts';
import type { ChangeWatch } from './change-watch.ts';
import type { SharedPage, SharedPages } from './shared-pages.ts';

export interface ChangeFeedParts extends RequestRules, AdmissionParts {
  readonly pages: SharedPages;
  readonly watch: ChangeWatch;
  readonly isStopping: () => boolean;
}

export type ServeChanges = (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createChangeFeed(parts: ChangeFeedParts): ServeChanges {
  const vary = buildVary(parts);
  return async (incoming, response) => {
    const request = parseDeliveryRequest(incoming, response, null, parts);
    const answered = request === undefined ? fail(PROBLEMS.unauthenticated) : await answerChanges(request, parts);
    if (!answered.ok) {
      writeProblem(response, answered.problem);
      return;
    }
    const { page, headers } = answered.value;
    response
      .writeHead(200, {
        vary,
        'cache-control': 'private, no-cache, no-store',
        'content-type': 'application/json; charset=utf-8',
        'content-length': page.body.length,
        ...headers,
      })
      .end(page.body);
  };
}

export function buildVary({ headerNames }: RequestRules): string {
  return ['Accept-Encoding', 'Authorization', headerNames.site].join(', ');
}

async function answerChanges(
  request: DeliveryRequest,
  parts: ChangeFeedParts,
): Promise<Result<{ readonly page: SharedPage; readonly headers: Readonly<Record<string, string>> }, Problem>> {
  const admitted = await admitReader(request, parts);
  if (!admitted.ok) return admitted;
  const { headers } = admitted.value;
  const query = parseChangeQuery(readRawQuery(request.url));
  const page = query.ok ? await readOrWait(request, query.value, parts) : fail(invalidParameter(query.problem));
  return page.ok ? ok({ page: page.value, headers }) : fail(withHeaders(page.problem, headers));
}

/** If there is no change yet, waits for one. Every read checks the caller again, because the key may have been revoked. */
async function readOrWait(
  request: DeliveryRequest,
  query: ChangeQuery,
  { pages, watch, isStopping }: ChangeFeedParts,
): Promise<Result<SharedPage, Problem>> {
  const { response, siteId, token } = request;
  const endsAt = performance.now() + query.waitMs;
  let page = await pages.read(request, query, 'alone');
  for (;;) {
    const leftMs = endsAt - performance.now();
    if (!page.ok || !isIdle(page.value) || leftMs <= 0 || isStopping() || response.destroyed) return page;
    const { next, stamp } = page.value;
    const waiting = watch.poll({ siteId, token, row: next.row, stamp }, response, leftMs);
    if (!(await readWhile(response, waiting))) return page;
    page = await pages.read(request, { ...query, since: next }, 'shared');
  }
}

/** Whether the reader is at the end of the log and the page contains nothing new. */
function isIdle({ hasNews, hasMore }: SharedPage): boolean {
  return !hasNews && !hasMore;
}
