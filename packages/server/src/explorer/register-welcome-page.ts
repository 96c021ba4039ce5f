// The page that people see when they open the service's URL in a browser: a short description of the service, with links. Programs get the
// same 404 as for any unknown path. The page runs no script, loads only its icon, and contains only public information.

import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../http/problem-response.ts';
import { PROBLEMS } from '../http/problems.ts';
import { acceptsHtml } from '../http/request-target.ts';
import { PAGE_HEADERS } from './register-explorer.ts';

export interface WelcomePageOptions {
  /** The absolute base of the URLs in responses. */
  readonly readBaseUrl: (request: IncomingMessage) => string;
  /** Whether the management API and the panel are served. */
  readonly hasAdmin: boolean;
}

const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f8f8f5, #14171a);
  --sheet: light-dark(#ffffff, #1b1f23);
  --well: light-dark(#efefea, #262b30);
  --line: light-dark(#e2e3dd, #2d3339);
  --ink: light-dark(#1c2125, #e7eaec);
  --quiet: light-dark(#59616a, #a0a9b3);
  --accent: light-dark(#0f6b5f, #63cdb9);
}
body {
  box-sizing: border-box;
  min-height: 100vh;
  margin: 0;
  padding: clamp(24px, 10vh, 120px) clamp(16px, 5vw, 48px);
  background: var(--ground);
  color: var(--ink);
  font: 16px / 1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 620px; margin: 0 auto; }
h1 { display: flex; align-items: center; gap: 14px; margin: 0; font-size: 32px; letter-spacing: -0.02em; }
p { margin: 14px 0 28px; color: var(--quiet); text-wrap: balance; }
ul { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 10px; background: var(--sheet); }
li + li { border-top: 1px solid var(--line); }
li a { display: block; padding: 16px 20px; color: inherit; text-decoration: none; }
li a:hover strong { text-decoration: underline; text-underline-offset: 0.2em; }
strong { display: block; color: var(--accent); font-weight: 600; }
span { color: var(--quiet); font-size: 15px; }
footer { margin-top: 28px; color: var(--quiet); font-size: 15px; }
code {
  padding: 3px 7px;
  border-radius: 6px;
  background: var(--well);
  color: var(--ink);
  font: 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  overflow-wrap: anywhere;
}
footer a { color: var(--accent); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 10px; }
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Destination {
  /** Relative, so it also works under a prefix that a proxy removes. */
  readonly href: string;
  readonly name: string;
  readonly purpose: string;
}

const EXPLORER: Destination = { href: 'docs', name: 'API explorer', purpose: 'Try the content API in your browser.' };
const PANEL: Destination = { href: 'admin', name: 'Admin panel', purpose: 'Write, preview and publish content.' };
const MANAGEMENT: Destination = {
  href: 'manage/docs',
  name: 'Management API explorer',
  purpose: 'Use scripts to do everything that you can do in the panel.',
};

export function registerWelcomePage(server: FastifyInstance, { readBaseUrl, hasAdmin }: WelcomePageOptions): void {
  const destinations = hasAdmin ? [EXPLORER, PANEL, MANAGEMENT] : [EXPLORER];
  server.get('/', (request, reply) => {
    reply.header('vary', 'Accept');
    if (!acceptsHtml(request.headers)) return sendProblem(reply, PROBLEMS.notFound);
    return reply
      .headers({ ...PAGE_HEADERS, 'content-security-policy': POLICY, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(renderPage(`${readBaseUrl(request.raw)}/api/v1`, destinations));
  });
}

function renderPage(apiUrl: string, destinations: readonly Destination[]): string {
  const links = destinations.map(
    ({ href, name, purpose }) => `<li><a href="${href}"><strong>${name}</strong><span>${purpose}</span></a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Galley</title>
<link rel="icon" type="image/svg+xml" href="docs/icon.svg">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1><img src="docs/icon.svg" alt="" width="36" height="36">Galley</h1>
<p>This service delivers published content to websites and apps over a read-only HTTP API.</p>
<ul>
${links.join('\n')}
</ul>
<footer>The API is at <code>${escapeText(apiUrl)}</code>, and its OpenAPI document is at <a href="openapi.json">openapi.json</a>.</footer>
</main>
</body>
</html>
`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
