// The APIs' descriptions, and the pages on which they can be tried: /openapi.json and /docs for the content API,
// /manage/v1/openapi.json and /manage/docs for the management API. The pages load nothing from elsewhere and keep no key.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DemoAccess, mayReadDemoAccess } from './demo-access.ts';
import type { OpenApiDocument } from './open-api.ts';
import { buildPageFile, openPageFile, type PageFile, sendPageFile } from './page-file.ts';

export interface ExplorerOptions {
  readonly document: OpenApiDocument;
  /** Fills in the page's key and site ID. Only for a demo that listens on a loopback address. */
  readonly demoAccess?: DemoAccess | undefined;
  /** Whether the page leads to that of the management API. */
  readonly hasManagement?: boolean;
}

export interface ManagementExplorerOptions {
  readonly buildDocument: () => object;
  /** Whether a Cookie header holds a session's cookie, of whichever session. */
  readonly hasSessionCookie: (header: string | undefined) => boolean;
}

const PAGE_FOLDER = join(import.meta.dirname, 'page');
const SWAGGER_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const CONTENT_TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

interface FilePlace {
  readonly url: string;
  readonly path: string;
  readonly kind: keyof typeof CONTENT_TYPES;
}

/** The pages' own addresses are relative, so that they also work below a prefix that a proxy strips. */
const PAGE_FILES: readonly FilePlace[] = [
  { url: '/docs', path: join(PAGE_FOLDER, 'explorer.html'), kind: 'html' },
  ...['explorer', 'management', 'swagger-page'].map(placeScript),
  { url: '/docs/icon.svg', path: join(PAGE_FOLDER, 'icon.svg'), kind: 'svg' },
  ...['explorer', 'operations', 'parameters', 'responses', 'schemas', 'management', 'narrow-and-wide'].map(placeStyle),
  { url: '/docs/swagger-ui.css', path: join(SWAGGER_FOLDER, 'swagger-ui.css'), kind: 'css' },
  { url: '/docs/swagger-ui-bundle.js', path: join(SWAGGER_FOLDER, 'swagger-ui-bundle.js'), kind: 'js' },
];

export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const MANAGEMENT_PAGE: FilePlace = { url: '/manage/docs', path: join(PAGE_FOLDER, 'management.html'), kind: 'html' };

export function registerExplorer(
  server: FastifyInstance,
  { document, demoAccess, hasManagement = false }: ExplorerOptions,
): void {
  registerDocument(server, '/openapi.json', () => document, { 'access-control-allow-origin': '*' });
  for (const place of PAGE_FILES) registerPageFile(server, place);
  server.get('/docs/', (_request, reply) => reply.redirect('../docs', 308));
  server.get('/docs/access.json', (request, reply) =>
    sendAccess(reply, { access: chooseAccess(request, demoAccess), hasManagement }),
  );
}

export function registerManagementExplorer(server: FastifyInstance, management: ManagementExplorerOptions): void {
  registerDocument(server, '/manage/v1/openapi.json', management.buildDocument, {});
  registerPageFile(server, MANAGEMENT_PAGE);
  server.get('/manage/docs/', (_request, reply) => reply.redirect('../docs', 308));
  // Asking for a session that is not there is an error that browsers write to the console; so the page asks here first.
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

function registerPageFile(server: FastifyInstance, { url, path, kind }: FilePlace): void {
  const openFile = once(() => openPageFile(path, CONTENT_TYPES[kind]));
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
