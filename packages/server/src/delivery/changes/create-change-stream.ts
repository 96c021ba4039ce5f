// Serves the change feed as server-sent events: check the reader, read the first page, then send page after page, and wait for changes
// in between. Errors before the first event are ordinary responses.

import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fail, ok, type Result } from '../../content/result.ts';
import { writeProblem } from '../../http/problem-response.ts';
import { invalidParameter, PROBLEMS, type Problem, withHeaders } from '../../http/problems.ts';
import { readWhile } from '../../http/wait-for-turn.ts';
import type { ChangePosition } from '../../listing/change-position.ts';
import { type ChangeQuery, parseStreamQuery } from '../../listing/change-query.ts';
import { readRawQuery } from '../../listing/query-parameters.ts';
import { StorageFault, StorageUnavailable } from '../../storage/engine.ts';
import { type DeliveryRequest, parseDeliveryRequest } from '../delivery-request.ts';
import type { FailureParts } from '../fail-request.ts';
import { admitReader } from './admit-reader.ts';
import { buildVary, type ChangeFeedParts, type ServeChanges } from './create-change-feed.ts';
import type { EventStream, OpenStreams, StreamPlace } from './open-streams.ts';
import { RETRY_LINE, renderGoneEvent, renderOpenEvent, STOPPING_COMMENT } from './render-changes.ts';
import type { SharedPage } from './shared-pages.ts';

export interface ChangeStreamParts extends ChangeFeedParts, Pick<FailureParts, 'noteFault'> {
  readonly streams: OpenStreams;
}

/** How long a stream waits if the database cannot be read. */
const OUTAGE_PAUSE_MS = 1000;

export function createChangeStream(parts: ChangeStreamParts): ServeChanges {
  const vary = buildVary(parts);
  return async (incoming, response) => {
    const request = parseDeliveryRequest(incoming, response, null, parts);
    if (request === undefined) return writeProblem(response, PROBLEMS.unauthenticated);
    const opened = await openStream(request, parts);
    if (!opened.ok) return writeProblem(response, opened.problem);
    const { query, page, place, headers } = opened.value;
    try {
      response.writeHead(200, { vary, ...STREAM_HEADERS, ...headers });
      if (incoming.method === 'HEAD') response.end();
      else await readWhile(response, followLog(request, query, page, parts));
    } finally {
      place.release();
    }
  };
}

const STREAM_HEADERS: OutgoingHttpHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store, no-transform',
  // Makes nginx pass on each event immediately.
  'x-accel-buffering': 'no',
  // A client whose stream ends must not find its next request on a node that is stopping.
  connection: 'close',
};

interface OpenedStream {
  readonly query: ChangeQuery;
  readonly page: SharedPage;
  readonly place: StreamPlace;
  readonly headers: Readonly<Record<string, string>>;
}

async function openStream(request: DeliveryRequest, parts: ChangeStreamParts): Promise<Result<OpenedStream, Problem>> {
  const admitted = await admitReader(request, parts);
  if (!admitted.ok) return admitted;
  const { keyId, headers } = admitted.value;
  const opened = await openAdmitted(request, keyId, parts);
  return opened.ok ? ok({ ...opened.value, headers }) : fail(withHeaders(opened.problem, headers));
}

async function openAdmitted(
  request: DeliveryRequest,
  keyId: string,
  { pages, streams, isStopping }: ChangeStreamParts,
): Promise<Result<Omit<OpenedStream, 'headers'>, Problem>> {
  const query = parseStreamQuery(readRawQuery(request.url), readLastEventId(request));
  if (!query.ok) return fail(invalidParameter(query.problem));
  if (isStopping()) return fail(PROBLEMS.serviceUnavailable);
  const place = streams.reserve(keyId);
  if (!place.ok) return place;
  let page: Result<SharedPage, Problem> | undefined;
  try {
    page = await pages.read(request, query.value, 'alone');
  } finally {
    if (page?.ok !== true) place.value.release();
  }
  return page.ok ? ok({ query: query.value, page: page.value, place: place.value }) : page;
}

/** An empty header counts as absent: a client sends one if it has not received an event yet. */
function readLastEventId({ headers }: DeliveryRequest): string | undefined {
  const given = headers['last-event-id'];
  const text = Array.isArray(given) ? given.join(', ') : given;
  return text === '' ? undefined : text;
}

/** Sends the log from a page on, until the client disconnects, loses its access, or the service stops. */
async function followLog(
  request: DeliveryRequest,
  query: ChangeQuery,
  first: SharedPage,
  parts: ChangeStreamParts,
): Promise<void> {
  const { response, siteId, token } = request;
  const { streams, watch } = parts;
  const stream = streams.open(response);
  await stream.send(RETRY_LINE);
  let page = first;
  let hasSent = false;
  for (;;) {
    const { next, stamp, hasMore, hasNews } = page;
    if (hasNews) await stream.send(page.event);
    else if (!hasSent && !hasMore) await stream.send(renderOpenEvent(next));
    hasSent ||= hasNews || !hasMore;
    if (!hasMore) await watch.wait({ siteId, token, row: next.row, stamp }, response);
    const read = await readNext(request, query, next, stream, parts);
    if (!read.ok) {
      stream.end(read.problem);
      return;
    }
    page = read.value;
  }
}

/** Returns the next page, or the last text of the stream. During an outage of the database, the stream stays open. */
async function readNext(
  request: DeliveryRequest,
  query: ChangeQuery,
  since: ChangePosition,
  stream: EventStream,
  { pages, isStopping, noteFault }: ChangeStreamParts,
): Promise<Result<SharedPage, string>> {
  for (;;) {
    if (stream.isOver) return fail('');
    if (isStopping()) return fail(STOPPING_COMMENT);
    try {
      const read = await pages.read(request, { ...query, since }, 'shared');
      if (read.ok) return read;
      if (read.problem.status !== PROBLEMS.serviceUnavailable.status)
        return fail(read.problem === PROBLEMS.changesGone ? renderGoneEvent() : '');
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      if (error instanceof StorageFault) noteFault(error);
    }
    await delay(OUTAGE_PAUSE_MS);
  }
}
