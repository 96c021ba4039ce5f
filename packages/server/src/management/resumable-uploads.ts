// Uploads that can be resumed after a lost connection, a reload or a service restart: version 1.0.0 of the tus protocol with the
// creation, termination and expiration extensions (https://tus.io/protocols/resumable-upload). A call with `{"upload": ID}` turns a
// complete upload into an asset, or into an asset's file. An upload belongs to the caller who created it, and to one site.
//
// We do not use @tus/server: its responses allow all origins and contain plain text instead of our errors, and its locks work only within
// one process.

import { hash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, nameCaller } from '../authoring/actor.ts';
import { AuthoringRefusal, refuseAbsent } from '../authoring/authoring-refusal.ts';
import { freeChunks } from '../files/free-chunks.ts';
import { isPartialId, type PartialFile, type PartialFiles } from '../files/partial-files.ts';
import { createTurns } from '../files/turns.ts';
import { PROBLEMS, ProblemError } from '../http/problems.ts';
import { discardRest, receiveUpload } from '../http/receive-upload.ts';
import type { TakenFile, UploadRules } from '../uploads/take-file.ts';
import { describeTooLarge } from '../uploads/upload-problem.ts';
import type { Uploader } from '../uploads/uploader.ts';
import { refuseUpload } from './refuse-upload.ts';
import { MANAGEMENT_ROOT, type Uploads } from './route.ts';

const VERSION = '1.0.0';
const EXTENSIONS = 'creation,termination,expiration';
const KEPT_MS = 24 * 60 * 60_000;
export const CHUNK_TYPE = 'application/offset+octet-stream';
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,15})$/;
const MOST_NAME_CHARACTERS = 1024;
/** The limit for each caller. It may be exceeded by a few uploads if several nodes create some at the same moment. */
const MOST_UPLOADS = 100;
const OWNER_DIGITS = 16;
const RANDOM_BYTES = 8;

/** The contents of a partial file's note. */
interface Note {
  readonly caller: string;
  readonly accountNo: number;
  readonly site: string;
  readonly name: string;
  readonly bytes: number;
}

export interface ResumableUpload {
  readonly id: string;
  readonly name: string;
  /** The size of the whole file. */
  readonly bytes: number;
  readonly received: number;
  readonly lastChange: Date;
}

/** Undefined if there is no such upload, or if it belongs to somebody else or another site. */
export async function findUpload(
  partial: PartialFiles,
  actor: Actor,
  site: string,
  id: string,
): Promise<ResumableUpload | undefined> {
  if (!isPartialId(id)) return undefined;
  const found = await partial.find(id);
  const note = found === undefined ? undefined : parseNote(found);
  if (found === undefined || note === undefined) return undefined;
  const isOwn = note.caller === nameCaller(actor) && note.accountNo === actor.accountNo && note.site === site;
  if (!isOwn) return undefined;
  return { id, name: note.name, bytes: note.bytes, received: found.bytes, lastChange: found.lastChange };
}

/** The ids of a caller's uploads begin with the same digits, so they can be counted without reading all notes. */
function buildOwnerPrefix(actor: Actor): string {
  return hash('sha256', `${actor.accountNo} ${nameCaller(actor)}`).slice(0, OWNER_DIGITS);
}

async function refuseTooMany(partial: PartialFiles, prefix: string): Promise<void> {
  const expired = Date.now() - KEPT_MS;
  let count = 0;
  for await (const { lastChange } of partial.list(prefix)) count += lastChange.getTime() > expired ? 1 : 0;
  if (count < MOST_UPLOADS) return;
  const message =
    `You have ${MOST_UPLOADS} unfinished uploads, which is the maximum. Finish or cancel one of them first. ` +
    'Uploads expire after 24 hours.';
  throw new AuthoringRefusal(message, { reason: 'too_large', code: 'limit_reached' });
}

function parseNote({ note }: PartialFile): Note | undefined {
  try {
    return JSON.parse(note);
  } catch {
    // The process ended while it was writing the note.
    return undefined;
  }
}

export interface ResumableCall {
  readonly actor: Actor;
  readonly site: string;
  /** Returns the size of the largest file that the site allows. Throws a refusal if there is no such site. */
  readonly findMostBytes: () => Promise<number>;
}

export interface ResumableParts {
  readonly uploads: Uploads;
  /** Authenticates the caller, before any of the body is read. */
  readonly admit: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;
  /** Runs the work for the authenticated caller, and sends any refusal. */
  readonly serve: (
    request: FastifyRequest,
    reply: FastifyReply,
    work: (call: ResumableCall) => Promise<FastifyReply>,
  ) => Promise<FastifyReply>;
}

export function registerResumableUploads(scope: FastifyInstance, { uploads, admit, serve }: ResumableParts): void {
  const appending = new Appending();
  const creating = createTurns();
  scope.addContentTypeParser(CHUNK_TYPE, async () => undefined);
  const path = `${MANAGEMENT_ROOT}/sites/:site/uploads`;

  async function openPartial(): Promise<PartialFiles> {
    return (await uploads.open()).store.partial;
  }

  async function findOwn(
    partial: PartialFiles,
    call: ResumableCall,
    request: FastifyRequest,
  ): Promise<ResumableUpload> {
    const { upload: id = '' } = request.params as Readonly<Record<string, string>>;
    const upload = await findUpload(partial, call.actor, call.site, id);
    if (upload === undefined) throw refuseAbsent(`There is no upload ${id.slice(0, 100)}. It may have expired.`);
    return upload;
  }

  scope.post(path, { onRequest: admit }, (request, reply) =>
    serve(request, reply, async (call) => {
      requireVersion(request);
      const bytes = readNumber(request, 'upload-length');
      const mostBytes = await call.findMostBytes();
      const name = readName(request);
      if (bytes > mostBytes) throw refuseUpload(describeTooLarge(mostBytes), name);
      const { actor, site } = call;
      const prefix = buildOwnerPrefix(actor);
      const id = `${prefix}${randomBytes(RANDOM_BYTES).toString('hex')}`;
      const note: Note = { caller: nameCaller(actor), accountNo: actor.accountNo, site, name, bytes };
      const partial = await openPartial();
      await creating.take(prefix, async () => {
        await refuseTooMany(partial, prefix);
        await partial.create(id, JSON.stringify(note));
      });
      reply.header('location', `${MANAGEMENT_ROOT}/sites/${encodeURIComponent(site)}/uploads/${id}`);
      return sendState(reply.code(201), { id, name, bytes, received: 0, lastChange: new Date() });
    }),
  );

  scope.head(`${path}/:upload`, { onRequest: admit }, (request, reply) =>
    serve(request, reply, async (call) => {
      requireVersion(request);
      const partial = await openPartial();
      await appending.stop((await findOwn(partial, call, request)).id);
      const upload = await findOwn(partial, call, request);
      return sendState(reply.code(200).header('upload-length', upload.bytes), upload);
    }),
  );

  scope.patch(`${path}/:upload`, { onRequest: admit }, (request, reply) =>
    serve(request, reply, async (call) => {
      requireVersion(request);
      if (request.headers['content-type'] !== CHUNK_TYPE) throw new ProblemError(PROBLEMS.unsupportedMediaType);
      const partial = await openPartial();
      const { id } = await findOwn(partial, call, request);
      const offset = readNumber(request, 'upload-offset');
      await appending.run(id, async (signal) => {
        signal.addEventListener('abort', () => request.raw.destroy(), { once: true });
        const upload = await findOwn(partial, call, request);
        if (offset !== upload.received) {
          throw new AuthoringRefusal(`${upload.received} bytes have arrived, so the next part must begin there.`, {
            reason: 'conflict',
            code: 'wrong_offset',
            details: { offset: upload.received },
          });
        }
        await partial.append(id, offset, limit(freeChunks(receiveUpload(request.raw)), upload.bytes - offset));
      });
      return sendState(reply.code(204), await findOwn(partial, call, request));
    }).finally(() => discardRest(request.raw)),
  );

  scope.delete(`${path}/:upload`, { onRequest: admit }, (request, reply) =>
    serve(request, reply, async (call) => {
      requireVersion(request);
      const partial = await openPartial();
      const { id } = await findOwn(partial, call, request);
      await appending.stop(id);
      await partial.remove(id);
      return reply.code(204).header('tus-resumable', VERSION).send();
    }),
  );
}

export interface ResumedFiles extends AsyncDisposable {
  /** Empty if there is no such upload. */
  readonly files: readonly TakenFile[];
  /** Removes the upload, whose file is now part of an asset. */
  finish(): Promise<void>;
}

const NO_FILES: ResumedFiles = { files: [], finish: async () => {}, [Symbol.asyncDispose]: async () => {} };

export interface ResumedUpload {
  readonly actor: Actor;
  readonly site: string;
  readonly id: string;
  readonly rules: UploadRules;
}

/** Takes a complete upload's file, as if it had just arrived. */
export async function takeResumed(
  uploader: Uploader,
  { actor, site, id, rules }: ResumedUpload,
): Promise<ResumedFiles> {
  const { partial } = uploader.store;
  const upload = await findUpload(partial, actor, site, id);
  if (upload === undefined) return NO_FILES;
  const { name, bytes, received } = upload;
  if (received < bytes) {
    throw new AuthoringRefusal(`Only ${received} of ${bytes} bytes have arrived. Finish the upload first.`, {
      reason: 'conflict',
      code: 'incomplete',
      details: { offset: received },
    });
  }
  const taken = await uploader
    .take(freeChunks(requireWhole(partial.read(id), bytes)), name, rules)
    .catch(async (error: unknown) => {
      // Another call may have used or discarded the upload in the meantime.
      if ((await findUpload(partial, actor, site, id)) === undefined) return undefined;
      throw error;
    });
  if (taken === undefined) return NO_FILES;
  if (!taken.ok) throw refuseUpload(taken.problem, name);
  const file = taken.value;
  return {
    files: [file],
    finish: () => partial.remove(id),
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

/** A bucket removes an upload piece by piece. */
async function* requireWhole(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array, void, void> {
  let read = 0;
  for await (const chunk of source) {
    read += chunk.length;
    yield chunk;
  }
  if (read !== bytes) throw new Error(`The upload contains only ${read} of its ${bytes} bytes`);
}

function sendState(reply: FastifyReply, { received, lastChange }: ResumableUpload): FastifyReply {
  const expires = new Date(lastChange.getTime() + KEPT_MS);
  return reply
    .headers({
      'tus-resumable': VERSION,
      'tus-extension': EXTENSIONS,
      'upload-offset': received,
      'upload-expires': expires.toUTCString(),
    })
    .send();
}

function requireVersion({ headers }: FastifyRequest): void {
  if (headers['tus-resumable'] === VERSION) return;
  const message = `The Tus-Resumable header must be ${VERSION}.`;
  throw new ProblemError({ code: 'malformed', status: 412, message, headers: { 'tus-version': VERSION } });
}

function readNumber({ headers }: FastifyRequest, name: 'upload-length' | 'upload-offset'): number {
  const value = headers[name];
  if (typeof value === 'string' && WHOLE_NUMBER.test(value)) return Number(value);
  throw new AuthoringRefusal(`The ${name} header must be a whole number.`, { reason: 'malformed' });
}

/** `filename d29ybGQ=,filetype aW1hZ2U=` */
function readName({ headers }: FastifyRequest): string {
  const metadata = headers['upload-metadata'];
  if (typeof metadata !== 'string') return '';
  const pair = metadata
    .split(',')
    .map((each) => each.trim().split(' '))
    .find(([key]) => key === 'filename');
  return Buffer.from(pair?.[1] ?? '', 'base64')
    .toString()
    .slice(0, MOST_NAME_CHARACTERS);
}

async function* limit(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer, void, void> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > most) throw new ProblemError(PROBLEMS.payloadTooLarge);
    yield chunk;
  }
}

/**
 * One request at a time adds to an upload. A newer request takes over, because the client has lost the connection for
 * the earlier one.
 */
class Appending {
  readonly #running = new Map<string, { readonly stop: AbortController; readonly ended: Promise<unknown> }>();

  /** Resolves once no request is adding to the upload. */
  async stop(id: string): Promise<void> {
    for (let running = this.#running.get(id); running !== undefined; running = this.#running.get(id)) {
      running.stop.abort();
      await running.ended;
    }
  }

  async run(id: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    // Another request may have begun while this one was waiting.
    while (this.#running.has(id)) await this.stop(id);
    const stop = new AbortController();
    const working = work(stop.signal);
    const running = { stop, ended: working.catch(() => {}) };
    this.#running.set(id, running);
    try {
      await working;
    } finally {
      if (this.#running.get(id) === running) this.#running.delete(id);
    }
  }
}
