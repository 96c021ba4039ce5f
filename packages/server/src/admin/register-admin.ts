// Serves the admin panel at /admin: its built files, and a single page for all of the panel's routes. The page can only run its own
// scripts, loads nothing from other hosts except images and the previews in frames, and cannot be framed.

import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../http/problem-response.ts';
import { PROBLEMS } from '../http/problems.ts';

const ROOT = '/admin';
const SITE_PATH = /^\/admin\/sites\/([\w-]+)/;
const NONCE_BYTES = 16;
const NOT_BUILT =
  'The admin panel is not available because it has not been built.\n' +
  'In a clone of the project, "npm ci" builds it, and so does "npm run build:panel".\n' +
  'The management API at /manage/v1 works without it.\n';

const SHARED_HEADERS = {
  // A preview in its own tab receives updates from the panel that opened it.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

interface PanelFile {
  readonly contentType: string;
  /** Whether the name contains a hash of the content. Such files never change. */
  readonly isImmutable: boolean;
  /** Paths on disk, keyed by content encoding. Every file has an uncompressed form. */
  readonly places: Readonly<Partial<Record<Coding, string>>> & { readonly identity: string };
}

interface Panel {
  /** The page, with placeholders that each response fills in. */
  readonly page: string;
  /** Keyed by the path under the panel's root, such as `assets/main-x1.js`. */
  readonly files: ReadonlyMap<string, PanelFile>;
}

/** The build adds these compressed forms if they are smaller. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number] | 'identity';

const MARKS = {
  nonce: '__NONCE__',
  headerPrefix: '__HEADER_PREFIX__',
  publicUrl: '__PUBLIC_URL__',
  frameOrigins: '__FRAME_ORIGINS__',
} as const;

const PAGE = 'index.html';
const ENDINGS = { br: '.br', gzip: '.gz' } as const;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface AdminOptions {
  /** The folder that contains the built panel. */
  readonly folder: string;
  /** Front ends need this prefix to read content. The panel displays it in code samples. */
  readonly headerPrefix: string;
  readonly publicUrl: string | null;
  /**
   * Finds the origins of the websites that the sender of the request may preview.
   * @param siteId the site in the panel's path; empty if there is none
   */
  readonly findFrameOrigins: (request: IncomingMessage, siteId: string) => Promise<readonly string[]>;
}

export function registerAdmin(server: FastifyInstance, options: AdminOptions): void {
  let opened: Promise<Panel | undefined> | undefined;
  const findPanel = async (): Promise<Panel | undefined> => {
    opened ??= openPanel(options.folder);
    const panel = await opened;
    // The panel may be built while the service is running.
    if (panel === undefined) opened = undefined;
    return panel;
  };
  const sendFreshPage = async (request: FastifyRequest, reply: FastifyReply, panel: Panel | undefined) => {
    const [, siteId = ''] = SITE_PATH.exec(request.raw.url ?? '') ?? [];
    return sendPage(reply, panel, options, await options.findFrameOrigins(request.raw, siteId));
  };
  server.get(ROOT, async (request, reply) => sendFreshPage(request, reply, await findPanel()));
  server.get<{ Params: { '*': string } }>(`${ROOT}/*`, async (request, reply) => {
    const panel = await findPanel();
    const name = request.params['*'];
    const file = panel?.files.get(name);
    if (file !== undefined) return sendFile(request, reply, file);
    return name.startsWith('assets/') ? sendProblem(reply, PROBLEMS.notFound) : sendFreshPage(request, reply, panel);
  });
}

/**
 * Undefined if the panel has not been built. Only files that this function lists can be requested: request paths are looked up in the
 * list and never used as paths on disk.
 */
async function openPanel(folder: string): Promise<Panel | undefined> {
  const page = await readFile(join(folder, PAGE), 'utf8').catch(() => undefined);
  if (page === undefined) return undefined;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const known = new Set(paths);
  const files = paths
    .filter((path) => CONTENT_TYPES[extname(path)] !== undefined)
    .map((path): [string, PanelFile] => {
      const name = relative(folder, path).split(sep).join('/');
      return [name, describeFile(path, name, known)];
    });
  return { page, files: new Map(files) };
}

function describeFile(path: string, name: string, known: ReadonlySet<string>): PanelFile {
  const forms = CODINGS.map((coding) => [coding, `${path}${ENDINGS[coding]}`] as const);
  return {
    contentType: CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
    isImmutable: name.startsWith('assets/'),
    places: { ...Object.fromEntries(forms.filter(([, place]) => known.has(place))), identity: path },
  };
}

function sendPage(
  reply: FastifyReply,
  panel: Panel | undefined,
  options: AdminOptions,
  frameOrigins: readonly string[],
): FastifyReply {
  reply.headers({ ...SHARED_HEADERS, 'cache-control': 'no-store' });
  if (panel === undefined) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  return reply
    .header('content-security-policy', buildPolicy(nonce, frameOrigins))
    .type('text/html; charset=utf-8')
    .send(
      panel.page
        .replaceAll(MARKS.nonce, nonce)
        .replaceAll(MARKS.headerPrefix, () => escapeAttribute(options.headerPrefix))
        .replaceAll(MARKS.publicUrl, () => escapeAttribute(options.publicUrl ?? ''))
        .replaceAll(MARKS.frameOrigins, () => escapeAttribute(frameOrigins.join(' '))),
    );
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** The nonce is for style elements, which the panel's components create at run time. Scripts come only from files. */
function buildPolicy(nonce: string, frameOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    // Images in content can be on any host.
    "img-src 'self' data: https: http:",
    "connect-src 'self'",
    ...(frameOrigins.length === 0 ? [] : [`frame-src ${frameOrigins.join(' ')}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: PanelFile): Promise<FastifyReply> {
  const coding = chooseCoding(request.headers['accept-encoding'], file);
  const bytes = await readFile(file.places[coding] ?? file.places.identity).catch(() => undefined);
  if (bytes === undefined) return sendProblem(reply, PROBLEMS.notFound);
  reply.headers({
    ...SHARED_HEADERS,
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'Accept-Encoding',
  });
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type(file.contentType).send(bytes);
}

function chooseCoding(accepted: string | undefined, { places }: PanelFile): Coding {
  const offers = (accepted ?? '').split(',').map((offer) => offer.trim().toLowerCase());
  return (
    CODINGS.find((coding) => places[coding] !== undefined && offers.some((offer) => takes(offer, coding))) ?? 'identity'
  );
}

function takes(offer: string, coding: string): boolean {
  const [name, ...parameters] = offer.split(';').map((part) => part.trim());
  return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
}
