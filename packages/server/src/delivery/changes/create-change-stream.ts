// Serves the change feed as server-sent events: checks the reader, reads the first page, then sends page after page, and waits for
// changes in between. Errors before the first event are ordinary responses.

import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { fail, ok, type Result } from '../../content/result.ts';
import { writeProblem } from '../../http/problem-response.ts';
import { invalidParameter, PROBLEMS, type Problem, withHeaders } from '../../http/problems.ts';
import { readWhile } from '../../http/wait-for-turn.ts';
import { type ChangePosition, encodePosition } from '../../listing/change-position.ts';
import { type ChangeQuery, parseStreamQuery } from '../../listing/change-query.ts';
import { readRawQuery } from '../../listing/query-parameters.ts';
import { StorageFault, StorageUnavailable } from '../../storage/engine.ts';
import { type DeliveryRequest, parseDeliveryRequest } from '../delivery-request.ts';
import type { FailureParts } from '../fail-request.ts';
import { type AdmittedReader, admitReader } from './admit-reader.ts';
import { buildVary, type ChangeFeedParts, type ServeChanges } from './create-change-feed.ts';
import type { EventStream, OpenStreams } from './open-streams.ts';
import { RETRY_LINE, renderGoneEvent, renderOpenEvent, STOPPING_COMMENT } from './render-changes.ts';
import type { SharedPage } from './shared-pages.ts';

export interface ChangeStreamParts extends ChangeFeedParts, Pick<FailureParts, 'noteFault'> {
  readonly streams: OpenStreams;
}

/** How long a stream waits if the database cannot be read. */
const OUTAGE_PAUSE_MS = 1000;
/**
 * If only content of other types changes, the client gets its new position this often. Otherwise it would have to read all those changes
 * again when it reconnects, or its position would no longer be in the log.
 */
const POSITION_EVERY_MS = 60_000;

export function createChangeStream(parts: ChangeStreamParts): ServeChanges {
  return async (incoming, response) => {
    const request = parseDeliveryRequest(incoming, response, null, parts);
    if (request === undefined) return writeProblem(response, PROBLEMS.unauthenticated);
    const admitted = await admitReader(request, parts);
    if (!admitted.ok) return writeProblem(response, admitted.problem);
    const { keyId, headers } = admitted.value;
    const query = parseRequest(request, parts);
    if (!query.ok) return writeProblem(response, withHeaders(query.problem, headers));
    const place = parts.places.reserve(keyId);
    if (!place.ok) return writeProblem(response, withHeaders(place.problem, headers));
    try {
      const begun = await begin(request, query.value, headers, parts);
      if (begun !== undefined) await readWhile(response, followLog(request, query.value, begun, parts));
    } finally {
      place.value.release();
    }
  };
}

const STREAM_HEADERS: OutgoingHttpHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store, no-transform',
  // Makes nginx pass on each event immediately.
  'x-accel-buffering': 'no',
  // A client whose stream ends must not send its next request to a node that is stopping.
  connection: 'close',
};

function parseRequest(request: DeliveryRequest, { isStopping }: ChangeStreamParts): Result<ChangeQuery, Problem> {
  const query = parseStreamQuery(readRawQuery(request.url), readLastEventId(request));
  if (!query.ok) return fail(invalidParameter(query.problem));
  return isStopping() ? fail(PROBLEMS.serviceUnavailable) : query;
}

/** An empty header counts as absent: a client sends one if it has not received an event yet. */
function readLastEventId({ headers }: DeliveryRequest): string | undefined {
  const given = headers['last-event-id'];
  const text = Array.isArray(given) ? given.join(', ') : given;
  return text === '' ? undefined : text;
}

/**
 * The state of a stream. It does not refer to the page that was sent last, because a waiting stream must not keep that page in memory.
 */
interface Reached {
  readonly next: ChangePosition;
  readonly hasMore: boolean;
  readonly stamp: number | undefined;
  /** Undefined if the client does not know any position yet. */
  readonly sent: SentPosition | undefined;
}

/** The last position that the client received. */
interface SentPosition {
  readonly text: string;
  readonly at: number;
}

interface BegunStream {
  readonly stream: EventStream;
  readonly reached: Reached;
}

/**
 * Sends the head and the first page. Returns undefined if there is no stream, either because of a problem or because the client requested
 * only the head.
 */
async function begin(
  request: DeliveryRequest,
  query: ChangeQuery,
  headers: AdmittedReader['headers'],
  parts: ChangeStreamParts,
): Promise<BegunStream | undefined> {
  const { response } = request;
  const { pages, streams } = parts;
  const page = await pages.read(request, query, 'alone');
  if (!page.ok) {
    writeProblem(response, withHeaders(page.problem, headers));
    return undefined;
  }
  // Without this header, the stream ends when the connection is closed, and each event is a single write.
  response.removeHeader('transfer-encoding');
  response.writeHead(200, { vary: buildVary(parts), ...STREAM_HEADERS, ...headers });
  if (response.req.method === 'HEAD') {
    response.end();
    return undefined;
  }
  const stream = streams.open(response);
  await stream.send(RETRY_LINE);
  return { stream, reached: await sendPage(page.value, stream, undefined, parts.now) };
}

/** Sends the log from the given position onwards, until the client disconnects or loses access, or the service stops. */
async function followLog(
  request: DeliveryRequest,
  query: ChangeQuery,
  { stream, reached: first }: BegunStream,
  parts: ChangeStreamParts,
): Promise<void> {
  const { response, siteId, token } = request;
  let reached = first;
  for (;;) {
    const { next, stamp, hasMore } = reached;
    if (!hasMore) {
      const waitMs = findPositionDelay(reached, parts.now());
      await parts.watch.wait({ siteId, token, row: next.row, stamp }, response, waitMs);
    } else {
      // Pages may come from memory, and sending nothing takes no time, so without this pause, other work would never get a turn.
      await setImmediate();
    }
    const sent = await sendNext(request, query, reached, stream, parts);
    if (!sent.ok) {
      stream.end(sent.problem);
      return;
    }
    reached = sent.value;
  }
}

/** Returns the last text of the stream if there is no next page. During a database outage, the stream stays open. */
async function sendNext(
  request: DeliveryRequest,
  query: ChangeQuery,
  { next: since, sent }: Reached,
  stream: EventStream,
  { pages, isStopping, noteFault, now }: ChangeStreamParts,
): Promise<Result<Reached, string>> {
  for (;;) {
    if (stream.isOver) return fail('');
    if (isStopping()) return fail(STOPPING_COMMENT);
    try {
      const page = await pages.read(request, { ...query, since }, 'shared');
      if (page.ok) return ok(await sendPage(page.value, stream, sent, now));
      if (page.problem.status !== PROBLEMS.serviceUnavailable.status)
        return fail(page.problem === PROBLEMS.changesGone ? renderGoneEvent() : '');
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      if (error instanceof StorageFault) noteFault(error);
    }
    await delay(OUTAGE_PAUSE_MS);
  }
}

/** An empty page is not sent. Its position is sent if the client does not know any position yet, or received its last one a while ago. */
async function sendPage(
  page: SharedPage,
  stream: EventStream,
  sent: SentPosition | undefined,
  now: () => number,
): Promise<Reached> {
  const { next, stamp, hasMore, hasNews } = page;
  const reached = { next, stamp, hasMore, sent };
  const isDue = !hasMore && (sent === undefined || findPositionDelay(reached, now()) === 0);
  if (!hasNews && !isDue) return reached;
  await stream.send(hasNews ? page.event : renderOpenEvent(next));
  return { ...reached, sent: { text: encodePosition(next), at: now() } };
}

/** How long to wait before sending the position; undefined if the client already knows it. */
function findPositionDelay({ next, sent }: Pick<Reached, 'next' | 'sent'>, now: number): number | undefined {
  if (sent === undefined || sent.text === encodePosition(next)) return undefined;
  return Math.max(0, sent.at + POSITION_EVERY_MS - now);
}
