// Limits the host names at which the management API and the panel are available. An attacker can point their own host name at this
// machine (DNS rebinding). To browsers, the attacker's page then has the same origin as the service. Only the host name reveals the
// attack. IP addresses are safe, because browsers do not look them up.

import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendProblem } from './problem-response.ts';
import { PROBLEMS } from './problems.ts';
import type { RequestOrigin } from './request-origin.ts';
import { acceptsHtml } from './request-target.ts';

export interface HostGuard {
  readonly origin: Pick<RequestOrigin, 'readHost'>;
  readonly publicUrl: string | null;
  /** Additional names, in lower case. */
  readonly adminHosts: readonly string[];
}

/** All routes in the scope respond to unknown hosts with 421. With `hasPages`, browsers get an HTML page. */
export function guardHosts(scope: FastifyInstance, guard: HostGuard & { readonly hasPages: boolean }): void {
  const { origin, publicUrl, adminHosts, hasPages } = guard;
  const names = new Set(['localhost', ...adminHosts, ...(publicUrl === null ? [] : [new URL(publicUrl).hostname])]);
  scope.addHook('onRequest', async (request, reply) => {
    const name = findName(origin.readHost(request.raw));
    if (name !== undefined && (isIP(name) !== 0 || name.endsWith('.localhost') || names.has(name))) return undefined;
    if (!hasPages || name === undefined || !acceptsHtml(request.headers)) {
      return sendProblem(reply, PROBLEMS.hostUnknown);
    }
    return sendPage(reply, name);
  });
}

/** The host name without its port, brackets or trailing dot. */
function findName(host: string | undefined): string | undefined {
  return host
    ?.replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

const STYLE = `
:root { color-scheme: light dark; }
body {
  max-width: 38rem;
  margin: 0 auto;
  padding: clamp(24px, 12vh, 140px) 24px 48px;
  background: light-dark(#f8f8f5, #14171a);
  color: light-dark(#1c2125, #e7eaec);
  font: 16px / 1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1 { margin: 0 0 12px; font-size: 26px; line-height: 1.25; letter-spacing: -0.015em; text-wrap: balance; }
p { margin: 0 0 12px; color: light-dark(#59616a, #a0a9b3); }
pre {
  margin: 0 0 12px;
  padding: 12px 16px;
  border: 1px solid light-dark(#e2e3dd, #2d3339);
  border-radius: 8px;
  background: light-dark(#ffffff, #1b1f23);
  white-space: pre-wrap;
}
code, pre { font: 14px / 1.6 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
code { color: light-dark(#1c2125, #e7eaec); }
`;

const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** @param name a name that `readHost` accepts: letters, digits, dots, hyphens and underscores */
function sendPage(reply: FastifyReply, name: string): FastifyReply {
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Unknown host name · Galley</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Galley is not set up for the host name ${name}</h1>
<p>To protect you from other sites, the admin panel is available only at the host names in its settings.</p>
<p>If this is Galley’s public address, add this setting and restart Galley:</p>
<pre>GALLEY_PUBLIC_URL=https://${name}</pre>
<p>Or allow this host name in addition to the public address:</p>
<pre>GALLEY_ADMIN_HOSTS=${name}</pre>
<p>An IP address and <code>localhost</code> work without a setting.</p>
</main>
</body>
</html>
`;
  return reply.code(PROBLEMS.hostUnknown.status).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page);
}
