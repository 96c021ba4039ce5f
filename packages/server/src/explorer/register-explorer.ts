// Serves the OpenAPI documents and the pages for trying out the APIs: /openapi.json, /docs and /docs/images for the content API, and
// /manage/v1/openapi.json and /manage/docs for the management API. The pages load nothing from other origins and store no key.

import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  CONTENT_PAGE,
  type ExplorerPage,
  IMAGES_PAGE,
  MANAGEMENT_PAGE,
  PAGE_FOLDER,
  renderExplorerPage,
} from './explorer-pages.ts';
import type { OpenApiDocument } from './open-api.ts';

/** The demo's API key and site. */
export interface DemoAccess {
  readonly token: string;
  readonly siteId: string;
}

export interface ExplorerOptions {
  readonly document: OpenApiDocument;
  /** Fills in the key and the site ID on the page. Only for a demo that listens on a loopback address. */
  readonly demoAccess?: DemoAccess | undefined;
  /** Whether the page links to the management API page. */
  readonly hasManagement?: boolean;
}

export interface ManagementExplorerOptions {
  readonly buildDocument: () => object;
  /** Whether a Cookie header contains a session cookie. */
  readonly hasSessionCookie: (header: string | undefined) => boolean;
}

const SWAGGER_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const CONTENT_TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

interface FilePlace {
  readonly url: string;
  readonly path: string;
  readonly kind: keyof typeof CONTENT_TYPES;
}

const PAGE_FILES: readonly FilePlace[] = [
  ...['explorer', 'images', 'management', 'swagger-page'].map(placeScript),
  { url: '/docs/icon.svg', path: join(PAGE_FOLDER, 'icon.svg'), kind: 'svg' },
  ...['explorer', 'images', 'operations', 'parameters', 'responses', 'schemas', 'management', 'narrow-and-wide'].map(
    placeStyle,
  ),
  { url: '/docs/swagger-ui.css', path: join(SWAGGER_FOLDER, 'swagger-ui.css'), kind: 'css' },
  { url: '/docs/swagger-ui-bundle.js', path: join(SWAGGER_FOLDER, 'swagger-ui-bundle.js'), kind: 'js' },
];

export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // The page about images fetches pictures and shows them from memory.
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

export function registerExplorer(
  server: FastifyInstance,
  { document, demoAccess, hasManagement = false }: ExplorerOptions,
): void {
  registerDocument(server, '/openapi.json', () => document, { 'access-control-allow-origin': '*' });
  for (const page of [CONTENT_PAGE, IMAGES_PAGE]) registerPage(server, page);
  for (const place of PAGE_FILES) registerPageFile(server, place);
  server.get('/docs/', (_request, reply) => reply.redirect('../docs', 308));
  server.get('/docs/images/', (_request, reply) => reply.redirect('../images', 308));
  server.get('/docs/access.json', (request, reply) =>
    sendAccess(reply, { access: chooseAccess(request, demoAccess), hasManagement }),
  );
}

export function registerManagementExplorer(server: FastifyInstance, management: ManagementExplorerOptions): void {
  registerDocument(server, '/manage/v1/openapi.json', management.buildDocument, {});
  registerPage(server, MANAGEMENT_PAGE);
  server.get('/manage/docs/', (_request, reply) => reply.redirect('../docs', 308));
  // Browsers log failed requests, so the page first asks here whether there is a session.
  server.get('/manage/docs/access.json', (request, reply) =>
    sendAccess(reply, { hasSessionCookie: management.hasSessionCookie(request.headers.cookie) }),
  );
}

function registerDocument(
  server: FastifyInstance,
  url: string,
  buildDocument: () => object,
  headers: Readonly<Record<string, string>>,
): void {
  const openFile = once(() =>
    buildPageFile(Buffer.from(JSON.stringify(buildDocument())), 'application/json; charset=utf-8'),
  );
  server.get(url, (request, reply) =>
    sendOpened(request, reply, openFile, { 'cache-control': 'public, max-age=60', ...headers }),
  );
}

function registerPage(server: FastifyInstance, page: ExplorerPage): void {
  registerFile(server, page.url, async () =>
    buildPageFile(Buffer.from(await renderExplorerPage(page)), 'text/html; charset=utf-8'),
  );
}

function registerPageFile(server: FastifyInstance, { url, path, kind }: FilePlace): void {
  registerFile(server, url, async () => buildPageFile(await readFile(path), CONTENT_TYPES[kind]));
}

function registerFile(server: FastifyInstance, url: string, open: () => Promise<PageFile>): void {
  const openFile = once(open);
  server.get(url, (request, reply) =>
    sendOpened(request, reply, openFile, { ...PAGE_HEADERS, 'cache-control': 'no-cache' }),
  );
}

function placeScript(name: string): FilePlace {
  return { url: `/docs/${name}.js`, path: join(PAGE_FOLDER, `${name}.js`), kind: 'js' };
}

function placeStyle(name: string): FilePlace {
  return { url: `/docs/${name}.css`, path: join(PAGE_FOLDER, `${name}.css`), kind: 'css' };
}

function once<Value>(open: () => Promise<Value>): () => Promise<Value> {
  let opened: Promise<Value> | undefined;
  return async () => (opened ??= open());
}

async function sendOpened(
  request: FastifyRequest,
  reply: FastifyReply,
  openFile: () => Promise<PageFile>,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const file = await openFile();
  return sendPageFile(request, reply.headers(headers), file);
}

function sendAccess(reply: FastifyReply, access: object): FastifyReply {
  return reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' }).send(access);
}

function chooseAccess(request: FastifyRequest, demoAccess: DemoAccess | undefined): DemoAccess | null {
  if (demoAccess === undefined || !mayReadDemoAccess(request.headers)) return null;
  return { token: demoAccess.token, siteId: demoAccess.siteId };
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

/**
 * Whether the request comes from the explorer page, in a browser that loaded it from a loopback address. Requests from other sites, from
 * pages whose host name merely resolves to this machine (DNS rebinding), or through a proxy get nothing.
 */
export function mayReadDemoAccess(headers: IncomingHttpHeaders): boolean {
  if (!LOOPBACK_HOST.test(headers.host ?? '')) return false;
  if (PROXY_HEADERS.some((name) => headers[name] !== undefined)) return false;
  // Browsers set this header themselves. Scripts cannot change it.
  return headers['sec-fetch-site'] === 'same-origin';
}

/** A file that is read on the first request and compressed once. */
interface PageFile {
  readonly contentType: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

const compress = promisify(gzip);

async function buildPageFile(plain: Buffer, contentType: string): Promise<PageFile> {
  // The ETag is weak, because the plain and compressed forms share it.
  const etag = `W/"${hash('sha256', plain, 'base64url').slice(0, 22)}"`;
  return { contentType, etag, plain, gzipped: await compress(plain) };
}

function sendPageFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  reply.header('etag', file.etag).header('vary', 'Accept-Encoding');
  if (namesTag(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  reply.type(file.contentType);
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(file.plain);
  return reply.header('content-encoding', 'gzip').send(file.gzipped);
}

function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*') ?? false;
}

function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return acceptEncoding?.split(',').some((coding) => /^\s*gzip\s*(;\s*q=(1|0?\.\d*[1-9]).*)?$/i.test(coding)) ?? false;
}
