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
import type { ReaderPlaces } from './reader-places.ts';
import type { SharedPage, SharedPages } from './shared-pages.ts';

export interface ChangeFeedParts extends RequestRules, AdmissionParts {
  readonly pages: SharedPages;
  readonly watch: ChangeWatch;
  readonly places: ReaderPlaces;
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
  const { keyId, headers } = admitted.value;
  const query = parseChangeQuery(readRawQuery(request.url));
  const page = query.ok ? await readOrWait(request, query.value, keyId, parts) : fail(invalidParameter(query.problem));
  return page.ok ? ok({ page: page.value, headers }) : fail(withHeaders(page.problem, headers));
}

/**
 * If there is no change yet, waits for one. Only readers that wait count towards the limit on readers, so every reader gets the changes
 * that already exist.
 */
async function readOrWait(
  request: DeliveryRequest,
  query: ChangeQuery,
  keyId: string,
  parts: ChangeFeedParts,
): Promise<Result<SharedPage, Problem>> {
  const endsAt = performance.now() + query.waitMs;
  const page = await parts.pages.read(request, query, 'alone');
  if (!page.ok || !isIdle(page.value) || query.waitMs === 0 || parts.isStopping()) return page;
  const place = parts.places.reserve(keyId);
  if (!place.ok) return place;
  try {
    return await waitForPage(request, query, page.value, endsAt, parts);
  } finally {
    place.value.release();
  }
}

/** Every read checks the caller again, because the key may have been revoked. */
async function waitForPage(
  request: DeliveryRequest,
  query: ChangeQuery,
  idle: SharedPage,
  endsAt: number,
  { pages, watch, isStopping }: ChangeFeedParts,
): Promise<Result<SharedPage, Problem>> {
  const { response, siteId, token } = request;
  let page = idle;
  for (;;) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0 || isStopping() || response.destroyed) return ok(page);
    const { next, stamp } = page;
    await readWhile(response, watch.wait({ siteId, token, row: next.row, stamp }, response, leftMs));
    const read = await pages.read(request, { ...query, since: next }, 'shared');
    if (!read.ok || !isIdle(read.value)) return read;
    page = read.value;
  }
}

/** Whether the reader is at the end of the log and the page contains nothing new. */
function isIdle({ hasNews, hasMore }: SharedPage): boolean {
  return !hasNews && !hasMore;
}
