// A website for tests of the preview. Browsers treat it as cross-site to the panel. Its draft route redirects to a page that uses only
// the fixed part of the protocol, unless a test replaces these pages.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const PROTOCOL_ONLY = readFileSync(join(import.meta.dirname, 'fixtures/protocol-only-page.html'), 'utf8');

/** The HTML of a page, or the address to redirect to. */
type Answer = { readonly html: string } | { readonly redirect: string };

export interface Website {
  /** `localhost` is a different site from `127.0.0.1`, where the panel is. */
  readonly origin: string;
  /** The path and query of each request, with its referrer. */
  readonly requests: { readonly path: string; readonly referrer: string | undefined }[];
  /** Replaces pages of the website. If it returns undefined, the website sends its usual page. */
  answer: (url: URL) => Answer | undefined;
  close(): Promise<void>;
}

/** @param panel the panel's origin */
export async function startWebsite(panel: string): Promise<Website> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', website.origin);
    website.requests.push({ path: `${url.pathname}${url.search}`, referrer: request.headers.referer });
    const answer = website.answer(url) ?? answerAsUsual(url, panel);
    if ('redirect' in answer) response.writeHead(307, { location: answer.redirect }).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(answer.html);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();
  const website: Website = {
    origin: `http://localhost:${address !== null && typeof address === 'object' ? address.port : 0}`,
    requests: [],
    answer: () => undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return website;
}

function answerAsUsual({ pathname }: URL, panel: string): Answer {
  if (pathname === '/api/draft') return { redirect: `/page?panel=${encodeURIComponent(panel)}` };
  return { html: pathname === '/page' ? PROTOCOL_ONLY : '<p>Not found</p>' };
}

interface PreviewAddress {
  readonly name: string;
  readonly address: string;
  readonly pattern?: string;
}

/** Replaces a site's preview addresses. @param page a page on which an owner is signed in */
export async function savePreviewAddresses(
  page: Page,
  site: string,
  addresses: readonly PreviewAddress[],
): Promise<void> {
  await callAs(page, 'PUT', `/sites/${site}/preview`, { addresses });
}

/** Calls the management API as the person who is signed in on a page. */
export async function callAs(page: Page, method: 'POST' | 'PUT', path: string, body: object = {}): Promise<void> {
  await page.evaluate(`(async () => {
    const { csrf_token } = await (await fetch('/manage/v1/session')).json();
    const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf_token };
    const request = { method: '${method}', headers, body: ${JSON.stringify(JSON.stringify(body))} };
    const response = await fetch(${JSON.stringify(`/manage/v1${path}`)}, request);
    if (!response.ok) throw new Error('${method} returned ' + response.status + ': ' + (await response.text()));
  })()`);
}
