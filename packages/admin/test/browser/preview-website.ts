// A website on another origin than the panel, for tests of the preview. By default, its draft route redirects to the page that speaks only
// the fixed part of the protocol.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const PROTOCOL_ONLY = readFileSync(join(import.meta.dirname, 'fixtures/protocol-only-page.html'), 'utf8');

/** The HTML of a page, or the address to redirect to. */
export type Answer = { readonly html: string } | { readonly redirect: string };

export interface Website {
  /** `localhost` is another site than `127.0.0.1`, where the panel is. */
  readonly origin: string;
  /** The path and query of each request. */
  readonly requests: string[];
  /** Replaces the website's pages. Undefined shows the protocol-only page. */
  answer: ((url: URL) => Answer | undefined) | undefined;
  close(): Promise<void>;
}

/** @param host `localhost` or `127.0.0.1` */
export async function startWebsite(host = 'localhost'): Promise<Website> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', website.origin);
    requests.push(`${url.pathname}${url.search}`);
    const answer = website.answer?.(url) ?? answerByDefault(url, request.headers.referer);
    if ('redirect' in answer) response.writeHead(307, { location: answer.redirect }).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(answer.html);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const website: Website = {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    requests,
    answer: undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return website;
}
