// The management API over HTTP. Every route is handled the same way: authenticate, check permissions, read, parse, run, send.
// Requests are JSON. Responses are never cached, and pages from other origins cannot read them.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Actor, nameCaller } from '../authoring/actor.ts';
import type { Desk } from '../authoring/desk.ts';
import { isJsonObject } from '../content/strict-json.ts';
import { PROBLEMS, ProblemError } from '../http/problems.ts';
import { allowLongBody } from '../http/receive-upload.ts';
import { measureVersions } from '../storage/contents/content-versions.ts';
import { FairTurns } from '../storage/fair-turns.ts';
import { againIfLost } from '../storage/retry.ts';
import {
  type AdmittedCall,
  answerCall,
  type CallTools,
  parse,
  parseHead,
  type ServedBytes,
  type SetHeader,
} from './answer-call.ts';
import { type ActorOptions, findActor, readOnce } from './find-actor.ts';
import { parseBody, readPath, registerJsonBodies } from './parse-request.ts';
import { isForm, receiveForm } from './receive-form.ts';
import { CHUNK_TYPE, type ResumableCall, registerResumableUploads, takeResumed } from './resumable-uploads.ts';
import {
  type ContentDelivery,
  type GuardedRoute,
  isRead,
  LargeCall,
  MANAGEMENT_ROOT,
  type ReadTraffic,
  type Route,
  type Uploads,
} from './route.ts';
import { RESUMABLE_ROUTES } from './routes/resumable-upload-routes.ts';
import { MANAGEMENT_ROUTES } from './routes.ts';
import { ExpiredCalls, type Served } from './run-once.ts';
import { type ErrorLogs, sendExpected } from './send-expected.ts';
import { type Entrance, openEntrance } from './session/entrance.ts';
import { findUploadRules } from './upload-rules.ts';

export interface ManagementOptions extends ActorOptions, ErrorLogs {
  readonly desk: Desk;
  readonly delivery: ContentDelivery;
  readonly readTraffic: ReadTraffic;
  readonly uploads: Uploads;
  readonly headerPrefix: string;
  /** Like `answerCall`, but on a separate thread, so other requests do not have to wait. */
  readonly answerLarge: (call: AdmittedCall, options: LargeCallOptions) => Promise<ServedBytes>;
}

export interface LargeCallOptions {
  readonly setHeader: SetHeader;
  /** Runs when it is the call's turn; rejects if the caller has since lost the right to make the call. */
  readonly admitAgain: () => Promise<unknown>;
}

/** Larger bodies wait for a turn before they are read, because each stays in memory until its call has been answered. */
const SMALL_BODY_BYTES = 64 * 1024;
/** Node allows 30 seconds for a whole request. */
const TURNS_OF_BODIES = { atOnce: 8, atOnceOfOne: 4, waiting: 400, waitingOfOne: 100, longestMs: 25_000 };
/**
 * An upload takes about three megabytes of memory, however large its files are. It may take hours, so one user must not take all the
 * turns. While an upload is waiting, nothing is read from its connection, so the client simply has to wait. Copies from the web and
 * complete resumable uploads use the same turns.
 */
const TURNS_OF_UPLOADS = { atOnce: 16, atOnceOfOne: 6, waiting: 200, waitingOfOne: 50, longestMs: 60_000 };

export function registerManagement(server: FastifyInstance, options: ManagementOptions): void {
  const entrance = openEntrance(options.desk, options.log);
  server.addHook('onClose', () => entrance.failures.close());
  const turns: BodyTurns = { bodies: new FairTurns(TURNS_OF_BODIES), uploads: new FairTurns(TURNS_OF_UPLOADS) };
  const expired = new ExpiredCalls(options.desk, options.log);
  server.addHook('onClose', () => expired.close());
  server.register(async (scope) => {
    registerJsonBodies(scope);
    for (const [routeNo, route] of MANAGEMENT_ROUTES.entries()) {
      if (route.form === undefined) register(scope, route, routeNo);
    }
    scope.register(async (formScope) => {
      // The handler reads the form itself.
      formScope.addContentTypeParser('multipart/form-data', async () => undefined);
      for (const [routeNo, route] of MANAGEMENT_ROUTES.entries()) {
        if (route.form !== undefined) register(formScope, route, routeNo);
      }
    });
    scope.register(async (uploadScope) => {
      registerResumableUploads(uploadScope, {
        uploads: options.uploads,
        admit: (request, reply) => admit(guardResumable(request.method), options, turns, request, reply),
        serve: (request, reply, work) => serveResumable(options, request, reply, work),
      });
    });
  });

  function register(scope: FastifyInstance, route: Route, routeNo: number): void {
    scope.route({
      method: route.method,
      url: `${MANAGEMENT_ROOT}${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      exposeHeadRoute: route.method === 'GET',
      // This runs before the body is read, so the bodies of rejected callers are neither stored nor parsed.
      onRequest: async (request, reply) => admit(route, options, turns, request, reply),
      handler: (request, reply) => serve(route, routeNo, options, { entrance, turns }, request, reply),
    });
  }
}

/** Like a GET, a HEAD needs no CSRF token. */
function guardResumable(method: string): GuardedRoute {
  const route = RESUMABLE_ROUTES.find((each) => each.method === method);
  if (route === undefined) throw new Error(`There is no resumable upload route for ${method}`);
  return { method: route.method === 'HEAD' ? 'GET' : route.method, who: route.who };
}

async function serveResumable(
  options: ManagementOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (call: ResumableCall) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const route = guardResumable(request.method);
  reply.header('cache-control', 'no-store');
  try {
    const { actor } = await findActor(route, options, request);
    if (actor === undefined) throw new ProblemError(PROBLEMS.unauthenticated);
    const { site = '' } = readPath(request.params);
    const { desk, uploads } = options;
    const findMostBytes = async (): Promise<number> =>
      (await againIfLost(() => findUploadRules({ desk, actor, path: { site }, uploads }))).mostBytes;
    return await work({ actor, site, findMostBytes });
  } catch (error) {
    return reply.raw.headersSent ? reply.hijack() : sendExpected(route, options, reply, error);
  }
}

interface BodyTurns {
  readonly bodies: FairTurns;
  readonly uploads: FairTurns;
}

async function admit(
  route: GuardedRoute,
  options: ManagementOptions,
  turns: BodyTurns,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  // A percent-encoded path also matches the route, but its response would lack the headers that keep out pages from other origins.
  if (request.raw.url?.startsWith(MANAGEMENT_ROOT) !== true) throw new ProblemError(PROBLEMS.notFound);
  try {
    const { actor } = await findActor(route, options, request);
    if ((route.form !== undefined && isForm(request.raw)) || request.headers['content-type'] === CHUNK_TYPE) {
      allowLongBody(request.raw);
      await takeTurn(turns.uploads, actor, reply.raw);
    } else if (mayHaveLargeBody(request.headers)) {
      await takeTurn(turns.bodies, actor, reply.raw);
    }
    return undefined;
  } catch (error) {
    return sendExpected(route, options, reply, error);
  }
}

function mayHaveLargeBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BODY_BYTES;
}

/** The turn ends when the response has been sent. */
async function takeTurn(turns: FairTurns, actor: Actor | undefined, response: ServerResponse): Promise<void> {
  const turn = await turns.begin(actor === undefined ? '' : nameCaller(actor));
  if (response.destroyed) turns.end(turn);
  else response.once('close', () => turns.end(turn));
}

/** Work that continues even if the client disconnects, so the turn lasts as long as the work does. */
async function runInTurn<Outcome>(
  turns: FairTurns,
  actor: Actor | undefined,
  response: ServerResponse,
  task: () => Promise<Outcome>,
): Promise<Outcome> {
  const turn = await turns.begin(actor === undefined ? '' : nameCaller(actor));
  try {
    if (response.destroyed) throw new ProblemError(PROBLEMS.badRequest);
    return await task();
  } finally {
    turns.end(turn);
  }
}

async function serve(
  route: Route,
  routeNo: number,
  options: ManagementOptions,
  { entrance, turns }: { readonly entrance: Entrance; readonly turns: BodyTurns },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  try {
    // Check again, because a token can be revoked while the body is arriving.
    const { actor, client } = await findActor(route, options, request);
    const path = readPath(request.params);
    options.noteCaller?.(request.raw.headers, { site: path.site });
    const call: AdmittedCall = {
      routeNo,
      isRead: isRead(route),
      actor,
      client,
      path,
      url: request.raw.url ?? '',
      body: request.body instanceof Buffer ? request.body : undefined,
      ifMatch: request.headers['if-match'],
      idempotencyKey: readOnce(request, 'idempotency-key'),
    };
    const setHeader = (name: string, value: string): void => {
      reply.header(name, value);
    };
    const { desk, delivery, readTraffic, uploads, headerPrefix, answerLarge } = options;
    const tools = { desk, delivery, readTraffic, uploads, headerPrefix, entrance };
    if (route.form !== undefined && isForm(request.raw)) {
      return sendServed(reply, await answerForm(route, tools, call, request.raw, setHeader));
    }
    const inTurn = <Outcome>(task: () => Promise<Outcome>): Promise<Outcome> =>
      runInTurn(turns.uploads, actor, reply.raw, task);
    if (route.form !== undefined && hasUpload(call)) {
      return sendServed(reply, await inTurn(() => answerResumed(route, tools, call, setHeader, options.log)));
    }
    const answerOnThread = (): Promise<ServedBytes> =>
      answerLarge(call, { setHeader, admitAgain: () => findActor(route, options, request) });
    const answerHere = (): Promise<Served | ServedBytes> =>
      answerCall(tools, call, setHeader).catch((error: unknown) => {
        if (error instanceof LargeCall) return answerOnThread();
        throw error;
      });
    if (await isLarge(route, call, desk)) return sendServed(reply, await answerOnThread());
    return sendServed(reply, await (route.takesFile === true ? inTurn(answerHere) : answerHere()));
  } catch (error) {
    // The HTTP layer has already responded to a client whose body was cut off.
    return reply.raw.headersSent ? reply.hijack() : sendExpected(route, options, reply, error);
  }
}

async function answerForm(
  route: Route,
  tools: CallTools,
  call: AdmittedCall,
  request: IncomingMessage,
  setHeader: SetHeader,
): Promise<Served> {
  const { form } = route;
  if (form === undefined) throw new Error('The route does not accept forms');
  parseHead(route, call);
  const { desk, uploads } = tools;
  const { actor, path } = call;
  const rules = await againIfLost(() => form.admit({ desk, actor, path, uploads }));
  await using received = await receiveForm(request, { form, rules, uploader: await uploads.open() });
  return await answerCall(tools, { ...call, form: received }, setHeader);
}

/** Whether the body is a JSON object with an `upload`. A body that cannot be read is refused later. */
function hasUpload({ body }: AdmittedCall): boolean {
  if (body === undefined || body.length > SMALL_BODY_BYTES) return false;
  const given = parseBody(body);
  return isJsonObject(given) && 'upload' in given;
}

/** The file is taken before the call's transaction starts, because this step may take a minute. */
async function answerResumed(
  route: Route,
  tools: CallTools,
  call: AdmittedCall,
  setHeader: SetHeader,
  log: Logger,
): Promise<Served> {
  const { form } = route;
  const { actor, path, body } = call;
  if (form === undefined || actor === undefined || body === undefined) throw new Error('The call has no upload');
  parseHead(route, call);
  const { upload: id, ...fields } = parse(form.resumed, parseBody(body), '');
  const { desk, uploads } = tools;
  const rules = await againIfLost(() => form.admit({ desk, actor, path, uploads }));
  const uploader = await uploads.open();
  await using files = await takeResumed(uploader, { actor, site: path.site ?? '', id, rules });
  const upload = files.files.length === 0 ? {} : { upload: id };
  const received = { fields, files: files.files, digest: body, ...upload };
  const served = await answerCall(tools, { ...call, form: received }, setHeader);
  // The change is committed. An upload that cannot be removed will expire by itself.
  await files.finish().catch((error: unknown) => log.warn({ err: error }, 'a complete upload could not be removed'));
  return served;
}

/** Smaller calls do not noticeably delay other requests. */
const LARGE_BYTES = 256 * 1024;

/** Whether the call's body, or a version that it reads, is large. */
async function isLarge(route: Route, { actor, body, path }: AdmittedCall, { storage }: Desk): Promise<boolean> {
  const hasLargeBody = body !== undefined && body.length > LARGE_BYTES;
  if (actor === undefined || !route.path.startsWith('/sites/{site}') || route.usesUploads === true) {
    if (hasLargeBody) throw new ProblemError(PROBLEMS.payloadTooLarge);
    return false;
  }
  const { site, content, number, from, to } = path;
  if (hasLargeBody || site === undefined || content === undefined) return hasLargeBody;
  const versions = [number, from, to].map(Number).filter(Number.isSafeInteger);
  const place = { accountNo: actor.accountNo, siteId: site, contentId: content };
  return (await againIfLost(() => storage.read(measureVersions(place, versions)))) > LARGE_BYTES;
}

function sendServed(reply: FastifyReply, { status, etag, body }: Served | ServedBytes): FastifyReply {
  if (etag !== null) reply.header('etag', etag);
  if (body === null) return reply.code(status).send();
  const sent = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length);
  return reply.code(status).type('application/json; charset=utf-8').send(sent);
}
