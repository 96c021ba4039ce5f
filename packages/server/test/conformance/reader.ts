// A client that reads from a running service. It checks every response against the OpenAPI document, so no test passes with an
// undocumented response.

import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as sendRequest } from 'node:http';
import type { ContentBody, CursorListBody, SimpleListBody } from '@galley/wire';
import { expect } from 'vitest';
import { buildOpenApiDocument } from '../../src/explorer/openapi-document.ts';
import { compileResponseCheck, type ResponseCheck } from '../support/openapi-check.ts';
import { type ServiceParts, startService, type TestService } from '../support/service.ts';
import { PRESS } from './records.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The parsed JSON; undefined if there is none. */
  readonly body: unknown;
}

export interface CallOptions {
  readonly method?: string;
  /** If undefined, no key is sent. */
  readonly token?: string | undefined;
  /** If undefined, no header is sent. */
  readonly site?: string | undefined;
  readonly headers?: OutgoingHttpHeaders;
}

export interface Reader {
  readonly service: TestService;
  /** A key for the fixture's site, without preview permission. */
  readonly token: string;
  /** @param target the path and query as sent in the request line */
  call(target: string, options?: CallOptions): Promise<Reply>;
  /** Calls the list endpoint with this query string. */
  list(query?: string, options?: CallOptions): Promise<Reply>;
  /** Fetches the content with this id. */
  get(id: string, options?: CallOptions): Promise<Reply>;
  close(): Promise<void>;
}

export const LIST_PATH = '/api/v1/content';
const CONTENT_PATH = `${LIST_PATH}/{id}`;

export const SIMPLE: CallOptions = { headers: { 'x-service-simple-pagination': 'true' } };

/** @param environment GALLEY_* settings for the service */
export async function openReader(
  records: readonly object[],
  environment: Readonly<Record<string, string>> = {},
  parts: ServiceParts = {},
): Promise<Reader> {
  const service = await startService(environment, parts);
  await service.importRecords(records);
  const { token } = await service.createKey({ sites: [PRESS] });
  const headerPrefix = environment.GALLEY_HEADER_PREFIX ?? 'X-SERVICE';
  const findFaults = compileReplyCheck(headerPrefix);
  const siteHeader = `${headerPrefix.toLowerCase()}-site`;

  async function call(target: string, options: CallOptions = {}): Promise<Reply> {
    const { method = 'GET', headers = {} } = options;
    const key = 'token' in options ? options.token : token;
    const site = 'site' in options ? options.site : PRESS;
    const reply = await exchange(service.url, method, target, {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(site === undefined ? {} : { [siteHeader]: site }),
      ...headers,
    });
    expect(findFaults(method, target, reply), `${method} ${target} returned ${reply.status} ${reply.text}`).toEqual([]);
    return reply;
  }

  return {
    service,
    token,
    call,
    list: (query = '', options) => call(query === '' ? LIST_PATH : `${LIST_PATH}?${query}`, options),
    get: (id, options) => call(`${LIST_PATH}/${id}`, options),
    close: () => service.close(),
  };
}

/** Sends one request with the exact target and headers. */
export function exchange(base: string, method: string, target: string, headers: OutgoingHttpHeaders): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const { hostname, port } = new URL(base);
  const sent = sendRequest({ hostname, port, method, path: target, headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const text = bytes.toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text, body: parseJson(text) });
    });
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Lists the problems with a response; empty if the response matches the document. */
export type ReplyCheck = (method: string, target: string, reply: Reply) => readonly string[];

export function compileReplyCheck(headerPrefix: string): ReplyCheck {
  const document = buildOpenApiDocument({ headerPrefix, version: '0.0.0-test' });
  const checkGet = compileResponseCheck(document);
  // Response checks always use the description of GET, so this replaces it with the description of HEAD, if there is one.
  const heads = Object.entries(document.paths).map(([path, item]) => [path, { ...item, get: item.head ?? item.get }]);
  const checkHead = compileResponseCheck({ ...document, paths: Object.fromEntries(heads) });
  return (method, target, reply) => {
    if (method === 'OPTIONS') return findSharedFaults(reply);
    const check = method === 'HEAD' ? checkHead : checkGet;
    return [...findSharedFaults(reply), ...findDescriptionFaults(check, method, target, reply)];
  };
}

function findDescriptionFaults(check: ResponseCheck, method: string, target: string, reply: Reply): readonly string[] {
  const path = findDescribedPath(target);
  if (path === undefined) return findErrorFaults(reply, method);
  const isEncoded = reply.headers['content-encoding'] !== undefined;
  const faults = check(path, reply.status, reply.headers, isEncoded ? undefined : (reply.body ?? reply.text));
  // Tests that request a compressed body check it themselves.
  return isEncoded ? faults.filter((fault) => fault !== 'the body is missing') : faults;
}

/** The path as written in the document; undefined if the document has no such path. */
function findDescribedPath(target: string): string | undefined {
  const path = target.split('?', 1)[0] ?? '';
  if (path === LIST_PATH) return LIST_PATH;
  const id = path.slice(LIST_PATH.length + 1);
  const isContent = path.startsWith(`${LIST_PATH}/`) && id !== '' && !id.includes('/');
  return isContent && isDecodable(path) ? CONTENT_PATH : undefined;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Checks the rules that apply to every response, including responses on paths that are not in the document. */
function findSharedFaults({ headers, status, text }: Reply): readonly string[] {
  const faults: string[] = [];
  if (headers['x-request-id'] === undefined) faults.push('x-request-id is missing');
  if (headers['access-control-allow-origin'] !== '*') faults.push('access-control-allow-origin is not *');
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('x-content-type-options is not nosniff');
  if (text !== '' && !headers['content-type']?.startsWith('application/json')) faults.push('the body is not JSON');
  if (status >= 400 && headers['cache-control'] !== 'no-store') faults.push('the error can be cached');
  return faults;
}

function findErrorFaults({ status, body }: Reply, method: string): readonly string[] {
  if (status < 400) return [`status ${status} on a path that is not in the document`];
  if (method === 'HEAD') return [];
  return isErrorBody(body) ? [] : ['the body is not {"message": …} and nothing else'];
}

export function isErrorBody(body: unknown): body is { readonly message: string } {
  if (typeof body !== 'object' || body === null || !('message' in body)) return false;
  return typeof body.message === 'string' && Object.keys(body).length === 1;
}

/** An error's status and message, to compare both at once. */
export function errorOf({ status, body }: Reply): readonly [number, string] {
  if (!isErrorBody(body)) throw new Error(`${status} is not an error: ${JSON.stringify(body)}`);
  return [status, body.message];
}

export function contentOf({ status, body }: Reply): ContentBody {
  if (!isContentBody(body)) throw new Error(`${status} is not a content object: ${JSON.stringify(body)}`);
  return body;
}

export function cursorListOf({ status, body }: Reply): CursorListBody {
  if (!isCursorList(body)) throw new Error(`${status} is not a list in cursor mode: ${JSON.stringify(body)}`);
  return body;
}

export function simpleListOf({ status, body }: Reply): SimpleListBody {
  if (!isSimpleList(body)) throw new Error(`${status} is not a list in simple mode: ${JSON.stringify(body)}`);
  return body;
}

/** The ids in a list, in order; an object without an envelope counts as a list of one. */
export function idsOf({ status, body }: Reply): readonly string[] {
  if (isContentBody(body)) return [body.id];
  if (isCursorList(body) || isSimpleList(body)) return body.data.map((content) => content.id);
  throw new Error(`${status} is not a list: ${JSON.stringify(body)}`);
}

// The OpenAPI check has already validated the body, so one property is enough to identify its format.

function isContentBody(body: unknown): body is ContentBody {
  return typeof body === 'object' && body !== null && 'content_type' in body;
}

function isCursorList(body: unknown): body is CursorListBody {
  return hasMetaMember(body, 'next_cursor');
}

function isSimpleList(body: unknown): body is SimpleListBody {
  return hasMetaMember(body, 'current_page');
}

function hasMetaMember(body: unknown, member: string): boolean {
  if (typeof body !== 'object' || body === null || !('meta' in body)) return false;
  return typeof body.meta === 'object' && body.meta !== null && member in body.meta;
}

/** The URLs in a Link header, keyed by relation. */
export function linksOf({ headers }: Reply): Readonly<Record<string, string>> {
  const found = [...String(headers.link ?? '').matchAll(/<([^>]*)>; rel="([a-z]+)"/g)];
  return Object.fromEntries(found.map(([, url = '', relation = '']) => [relation, url]));
}

/** The request target of an absolute URL. */
export function targetOf(url: string | null | undefined): string {
  if (url === null || url === undefined) throw new Error('There is no URL to follow');
  return url.slice(new URL(url).origin.length);
}
