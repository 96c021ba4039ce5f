// The API's description at /openapi.json, and the page at /docs on which it can be tried.
// The page loads nothing from elsewhere, keeps no key, and is read by no other site.

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

/** Addresses in the page are relative to /docs, so that it also works below a prefix that a proxy strips. */
const PAGE_FILES = [
  ['/docs', join(PAGE_FOLDER, 'explorer.html'), 'text/html; charset=utf-8'],
  ['/docs/explorer.css', join(PAGE_FOLDER, 'explorer.css'), 'text/css; charset=utf-8'],
  ['/docs/explorer.js', join(PAGE_FOLDER, 'explorer.js'), 'text/javascript; charset=utf-8'],
  ['/docs/icon.svg', join(PAGE_FOLDER, 'icon.svg'), 'image/svg+xml'],
  ['/docs/swagger-ui.css', join(SWAGGER_FOLDER, 'swagger-ui.css'), 'text/css; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js', join(SWAGGER_FOLDER, 'swagger-ui-bundle.js'), 'text/javascript; charset=utf-8'],
] as const;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function registerExplorer(server: FastifyInstance, { document, demoAccess }: ExplorerOptions): void {
  server.register(async (scope) => registerDocument(scope, document));
  server.register(async (scope) => registerPage(scope, demoAccess));
}

function registerDocument(scope: FastifyInstance, document: OpenApiDocument): void {
  const openFile = once(() => buildPageFile(Buffer.from(JSON.stringify(document)), 'application/json; charset=utf-8'));
  scope.get('/openapi.json', async (request, reply) => {
    reply.header('cache-control', 'public, max-age=60').header('access-control-allow-origin', '*');
    return sendPageFile(request, reply, await openFile());
  });
}

function registerPage(scope: FastifyInstance, demoAccess: DemoAccess | undefined): void {
  scope.addHook('onSend', async (_request, reply) => protectPage(reply));
  for (const [url, path, contentType] of PAGE_FILES) {
    const openFile = once(() => openPageFile(path, contentType));
    scope.get(url, async (request, reply) => {
      if (request.url.startsWith('/docs/?') || request.url === '/docs/') return redirectToPage(reply);
      reply.header('cache-control', 'no-cache');
      return sendPageFile(request, reply, await openFile());
    });
  }
  // A server that ignores trailing slashes has this route already.
  if (!scope.hasRoute({ method: 'GET', url: '/docs/' })) {
    scope.get('/docs/', async (_request, reply) => redirectToPage(reply));
  }
  scope.get('/docs/access.json', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return { access: selectAccess(request, demoAccess) };
  });
}

function once<Value>(open: () => Promise<Value>): () => Promise<Value> {
  let opened: Promise<Value> | undefined;
  return () => (opened ??= open());
}

function redirectToPage(reply: FastifyReply): FastifyReply {
  return reply.redirect('../docs', 308);
}

function selectAccess(request: FastifyRequest, demoAccess: DemoAccess | undefined): DemoAccess | null {
  if (demoAccess === undefined || !mayReadDemoAccess(request.headers)) return null;
  return { token: demoAccess.token, siteId: demoAccess.siteId };
}

function protectPage(reply: FastifyReply): void {
  // The API welcomes every origin; the page with its key is for its own origin only.
  reply.removeHeader('access-control-allow-origin');
  reply.headers({
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
}
