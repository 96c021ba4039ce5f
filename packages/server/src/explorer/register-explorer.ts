// The API's description at /openapi.json, and the page at /docs on which it can be tried.
// The page loads nothing from elsewhere and keeps no key.

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

/** The page's own addresses are relative, so that it also works below a prefix that a proxy strips. */
const PAGE_FILES: readonly FilePlace[] = [
  { url: '/docs', path: join(PAGE_FOLDER, 'explorer.html'), kind: 'html' },
  { url: '/docs/explorer.js', path: join(PAGE_FOLDER, 'explorer.js'), kind: 'js' },
  { url: '/docs/icon.svg', path: join(PAGE_FOLDER, 'icon.svg'), kind: 'svg' },
  ...['explorer', 'operations', 'parameters', 'responses', 'schemas', 'narrow-and-wide'].map(placeStyle),
  { url: '/docs/swagger-ui.css', path: join(SWAGGER_FOLDER, 'swagger-ui.css'), kind: 'css' },
  { url: '/docs/swagger-ui-bundle.js', path: join(SWAGGER_FOLDER, 'swagger-ui-bundle.js'), kind: 'js' },
];

const PAGE_HEADERS = {
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

export function registerExplorer(server: FastifyInstance, { document, demoAccess }: ExplorerOptions): void {
  registerDocument(server, document);
  registerPageFiles(server);
  server.get('/docs/', (_request, reply) => reply.redirect('../docs', 308));
  server.get('/docs/access.json', (request, reply) => {
    reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' });
    return reply.send({ access: chooseAccess(request, demoAccess) });
  });
}

function registerDocument(server: FastifyInstance, document: OpenApiDocument): void {
  const openFile = once(() => buildPageFile(Buffer.from(JSON.stringify(document)), 'application/json; charset=utf-8'));
  server.get('/openapi.json', (request, reply) =>
    sendOpened(request, reply, openFile, { 'cache-control': 'public, max-age=60', 'access-control-allow-origin': '*' }),
  );
}

function registerPageFiles(server: FastifyInstance): void {
  for (const { url, path, kind } of PAGE_FILES) {
    const openFile = once(() => openPageFile(path, CONTENT_TYPES[kind]));
    server.get(url, (request, reply) =>
      sendOpened(request, reply, openFile, { ...PAGE_HEADERS, 'cache-control': 'no-cache' }),
    );
  }
}

function placeStyle(name: string): FilePlace {
  return { url: `/docs/${name}.css`, path: join(PAGE_FOLDER, `${name}.css`), kind: 'css' };
}

function once<Value>(open: () => Promise<Value>): () => Promise<Value> {
  let opened: Promise<Value> | undefined;
  return () => (opened ??= open());
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

function chooseAccess(request: FastifyRequest, demoAccess: DemoAccess | undefined): DemoAccess | null {
  if (demoAccess === undefined || !mayReadDemoAccess(request.headers)) return null;
  return { token: demoAccess.token, siteId: demoAccess.siteId };
}
