// Serves files and images at /assets, without a key, directly on Node's request and response objects: it finds the asset, plans the
// answer and sends it. The answer for a URL is remembered as long as its asset stays the same, and small files stay in memory, so a
// repeated request does not read from disk.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { fail, ok, type Result } from '../content/result.ts';
import { type ByteRange, type FileReading, type FileStore, FileStoreError } from '../files/file-store.ts';
import { Limiter, refuseExceeded } from '../http/limiter.ts';
import { writeProblem } from '../http/problem-response.ts';
import { PROBLEMS, type Problem, withHeaders } from '../http/problems.ts';
import { readRequestId } from '../http/service-message.ts';
import type { UnreadAnswers } from '../http/unread-answers.ts';
import { type AcceptedFormat, parseAcceptedFormats } from '../images/output-format.ts';
import type { ServedAsset } from '../storage/asset-reads.ts';
import { StorageUnavailable } from '../storage/engine.ts';
import { AnswerSender, type SenderOptions } from './answer-sender.ts';
import { type AssetTarget, isReachable, parseAssetTarget } from './asset-target.ts';
import { ImageTime } from './image-time.ts';
import type { VariantTerms } from './image-workshop.ts';
import {
  type AssetDirectory,
  isTransformed,
  type PlannedAnswer,
  planOriginal,
  planTransformed,
} from './plan-answer.ts';

export interface AssetDeliveryOptions extends SenderOptions {
  readonly directory: AssetDirectory;
  readonly unread: UnreadAnswers;
  /** Identifies the client whose limits apply, by its address or its network. */
  readonly nameClient: (request: IncomingMessage) => string;
  /** How many new variants one client may request from a site; 0 means no limit. Signed URLs do not count. */
  readonly newVariantsPerMinute?: number;
  /**
   * Each client's allowance of image processing time, in seconds; 0 means no limit. Signed URLs do not count.
   */
  readonly imageSeconds?: number;
}

export interface AssetDelivery {
  /** @param request a request whose path starts with /assets/ */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  /** Whether the file store was unavailable when it was last needed. */
  readonly isStoreFailing: () => boolean;
}

const NEW_VARIANTS_PER_MINUTE = 600;
/** This is enough for the first reader of a page with many large pictures. */
const IMAGE_SECONDS = 60;
const MOST_REMEMBERED = 2000;
/** Longer URLs are rare, and would take up memory. */
const LONGEST_REMEMBERED = 512;
/** How long the store counts as failing after a fault, unless it recovers sooner. Store faults are logged at most this often. */
const FAULT_MS = 60_000;

export function createAssetDelivery(options: AssetDeliveryOptions): AssetDelivery {
  const { directory, log, unread, nameClient } = options;
  const { newVariantsPerMinute = NEW_VARIANTS_PER_MINUTE, imageSeconds = IMAGE_SECONDS } = options;
  const remembered = new LRUCache<string, PlannedAnswer>({ max: MOST_REMEMBERED });
  const store: Pick<FileStore, 'read'> = { read: readFile };
  const sender = new AnswerSender({ ...options, store }, failRequest);
  const limiter = new Limiter({ name: 'variants', tries: newVariantsPerMinute, seconds: 60 });
  const time = new ImageTime({ mostSeconds: imageSeconds });
  const readAccepted = rememberLast(parseAcceptedFormats);
  let faultAt = Number.NEGATIVE_INFINITY;
  let loggedAt = Number.NEGATIVE_INFINITY;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    try {
      const answering = unread.isOverfull() ? answerWithRoom(request, response) : answer(request, response);
      answering?.catch((error: unknown) => failRequest(response, error));
    } catch (error) {
      failRequest(response, error);
    }
  }

  async function answerWithRoom(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (await unread.waitForRoom(response)) await answer(request, response);
    else writeProblem(response, PROBLEMS.serviceUnavailable);
  }

  /** Everything that is in memory is sent before this returns. */
  function answer(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const target = parseAssetTarget(request.url ?? '');
    if (!target.ok) {
      writeProblem(response, target.problem);
      return undefined;
    }
    const { siteId, assetId } = target.value;
    const found = directory.find(siteId, assetId);
    if (found instanceof Promise) return found.then((asset) => answerFor(request, response, target.value, asset));
    return answerFor(request, response, target.value, found);
  }

  function answerFor(
    request: IncomingMessage,
    response: ServerResponse,
    target: AssetTarget,
    asset: ServedAsset | undefined,
  ): Promise<void> | undefined {
    if (asset === undefined || !isReachable(target, asset)) {
      writeProblem(response, PROBLEMS.notFound);
      return undefined;
    }
    const accepted = readAccepted(request.headers.accept);
    const key = `${request.url} ${accepted.has('avif') ? 'a' : ''}${accepted.has('webp') ? 'w' : ''}`;
    const known = remembered.get(key);
    if (known?.asset === asset) return send(request, response, known);
    if (isTransformed(target, asset)) return planAndSend(request, response, target, asset, accepted, key);
    return send(request, response, remember(key, planOriginal(target, asset)));
  }

  async function planAndSend(
    request: IncomingMessage,
    response: ServerResponse,
    target: AssetTarget,
    asset: ServedAsset,
    accepted: ReadonlySet<AcceptedFormat>,
    key: string,
  ): Promise<void> {
    const planned = await planTransformed(target, asset, accepted, options);
    if (planned.ok) await send(request, response, remember(key, planned.value));
    else writeProblem(response, planned.problem);
  }

  function remember(key: string, planned: PlannedAnswer): PlannedAnswer {
    if (planned.isRepeatable && key.length <= LONGEST_REMEMBERED) remembered.set(key, planned);
    return planned;
  }

  function send(request: IncomingMessage, response: ServerResponse, planned: PlannedAnswer): Promise<void> | undefined {
    return sender.send(request, response, planned, () => admit(request, planned));
  }

  async function readFile(sha256: string, range?: ByteRange): Promise<FileReading | undefined> {
    const reading = await options.store.read(sha256, range);
    faultAt = Number.NEGATIVE_INFINITY;
    return reading;
  }

  async function admit(
    request: IncomingMessage,
    { asset, isSigned }: PlannedAnswer,
  ): Promise<Result<VariantTerms, Problem>> {
    if (isSigned) return ok(UNLIMITED);
    const client = nameClient(request);
    const wait = time.readWait(client);
    if (wait > 0) return fail(refuseUntil(wait));
    if (newVariantsPerMinute > 0) {
      const tally = await limiter.spend(`${asset.siteId} ${client}`);
      if (tally.isExceeded) return fail(refuseExceeded(tally));
    }
    return ok({
      mayStart: () => time.readWait(client) === 0,
      noteTime: (ms) => time.note(client, ms),
      describeRefusal: () => refuseUntil(time.readWait(client)),
    });
  }

  function failRequest(response: ServerResponse, error: unknown): void {
    const isOutage = error instanceof FileStoreError || error instanceof StorageUnavailable;
    if (error instanceof FileStoreError) noteStoreFault(error);
    else if (!isOutage) log.error({ reqId: readRequestId(response.req), err: error }, 'request failed');
    if (response.headersSent) response.destroy();
    else writeProblem(response, isOutage ? PROBLEMS.serviceUnavailable : PROBLEMS.serverError);
  }

  /** If every fault were logged, every request would add a line to the log while the store is down. */
  function noteStoreFault(error: FileStoreError): void {
    faultAt = performance.now();
    if (faultAt - loggedAt < FAULT_MS) return;
    loggedAt = faultAt;
    log.error({ err: error }, 'files cannot be served');
  }

  return { serve, isStoreFailing: () => performance.now() - faultAt < FAULT_MS };
}

const UNLIMITED: VariantTerms = {
  mayStart: () => true,
  noteTime: () => {},
  describeRefusal: () => PROBLEMS.tooManyRequests,
};

function refuseUntil(seconds: number): Problem {
  return withHeaders(PROBLEMS.tooManyRequests, { 'retry-after': String(Math.max(1, seconds)) });
}

/** Most requests have the same header as the previous one. */
function rememberLast<Value>(read: (text: string | undefined) => Value): (text: string | undefined) => Value {
  let last: { readonly text: string | undefined; readonly value: Value } | undefined;
  return (text) => {
    if (last === undefined || last.text !== text) last = { text, value: read(text) };
    return last.value;
  };
}
