// Runs the packed client in pages on a different origin from the API, both imported as a module and bundled by Vite.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserShare, shareBrowser } from '../../../server/test/browser/launch-browser.ts';
import { type ClientProject, installClient } from '../packaging/install-client.ts';
import { type Demo, startDemo } from '../packaging/start-demo.ts';
import { type FolderServer, serveFolder } from './serve-folder.ts';

const ARTICLES = 'content?content_type=article&limit=2';

let project: ClientProject;
let demo: Demo;
let site: FolderServer;
let browser: BrowserShare;

beforeAll(async () => {
  [project, demo, browser] = await Promise.all([installClient(), startDemo(), shareBrowser()]);
  site = await serveFolder(project.path);
});

afterAll(async () => {
  await browser?.close();
  await site?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
  await project?.[Symbol.asyncDispose]();
});

interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Method, status and path of each API request. */
  readonly exchanges: readonly string[];
  readonly complaints: readonly string[];
}

/** Opens a page and waits until its script reports its result. */
async function visit(path: string): Promise<Visit> {
  const page = await browser.newPage();
  const exchanges: string[] = [];
  const complaints: string[] = [];
  page.on('response', (response) => {
    const root = `${demo.url}/api/v1/`;
    if (!response.url().startsWith(root)) return;
    exchanges.push(`${response.request().method()} ${response.status()} ${response.url().slice(root.length)}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${site.url}${path}`);
  await page.waitForFunction('document.title !== ""');
  return { page, exchanges, complaints, [Symbol.asyncDispose]: () => page.close() };
}

/** The value that the page's script stored in `window.outcome`. */
async function readOutcome({ page }: Visit): Promise<unknown> {
  return page.evaluate('window.outcome');
}

function renderClient(options: string): string {
  return `createClient({ apiURL: '${demo.url}/api/v1', apiKey: '${demo.apiKey}', siteId: 's_demo', ${options} })`;
}

/** A page that resolves the package through an import map, as pages without a bundler do. */
function renderPage(script: string): string {
  return `<!doctype html>
    <script type="importmap">{ "imports": { "@galley/client": "/node_modules/@galley/client/dist/index.js" } }</script>
    <script type="module">
      import { createClient, createMemoryStore, isUnauthenticated } from '@galley/client';
      try { ${script} } catch (error) { window.outcome = String(error); }
      document.title = 'done';
    </script>`;
}

async function listIds(query: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${demo.apiKey}`, 'x-service-site': 's_demo' };
  const response = await fetch(`${demo.url}/api/v1/${query}`, { headers });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

describe('a page with a module script', () => {
  test('lists content, then reads the next page and the previous one', async () => {
    await project.write({
      'walk.html': renderPage(`
        const first = await ${renderClient('')}.getContent({ params: { content_type: 'article', limit: 2 } });
        const second = await first.nextPage();
        const back = await second.prevPage();
        window.outcome = [first, second, back].map(({ content }) => content.map(({ id }) => id));`),
    });
    await using visited = await visit('/walk.html');
    const four = await listIds('content?content_type=article&limit=4');
    expect(await readOutcome(visited)).toEqual([four.slice(0, 2), four.slice(2), four.slice(0, 2)]);
    expect(visited.exchanges).toContainEqual(`GET 200 ${ARTICLES}`);
    expect(visited.complaints).toEqual([]);
  });

  test('follows the Link header from a page with a single object', async () => {
    await project.write({
      'single.html': renderPage(`
        const params = { content_type: 'article', limit: 1 };
        const first = await ${renderClient('simplePagination: true')}.getContent({ params });
        const second = await first.nextPage();
        window.outcome = [first.content[0].id, second.content[0].id, second.pagination.prev.page];`),
    });
    await using visited = await visit('/single.html');
    expect(await readOutcome(visited)).toEqual([...(await listIds(ARTICLES)), 1]);
  });

  test('stores responses and receives a 304 when nothing has changed', async () => {
    await project.write({
      'store.html': renderPage(`
        const client = ${renderClient('store: createMemoryStore()')};
        const read = () => client.getContent({ params: { content_type: 'article', limit: 2 } });
        const [one, other] = [await read(), await read()];
        const isSame = JSON.stringify(one.content) === JSON.stringify(other.content) && one.content !== other.content;
        window.outcome = [one.content.map(({ id }) => id), isSame, typeof other.nextPage];`),
    });
    await using visited = await visit('/store.html');
    expect(await readOutcome(visited)).toEqual([await listIds(ARTICLES), true, 'function']);
    const gets = visited.exchanges.filter((exchange) => exchange.startsWith('GET'));
    expect(gets).toEqual([`GET 200 ${ARTICLES}`, `GET 304 ${ARTICLES}`]);
  });

  test('copies a site and opens the stream of changes', async () => {
    await project.write({
      'changes.html': renderPage(`
        const { createClient, createMemoryMirror } = await import('@galley/client');
        const stop = new AbortController();
        const requests = [];
        const client = createClient({ apiURL: '${demo.url}/api/v1', apiKey: '${demo.apiKey}', siteId: 's_demo', fetch: observe });
        async function observe(url, init) {
          const response = await fetch(url, init);
          requests.push(new URL(url).pathname + ' ' + response.status);
          if (url.includes('/stream')) stop.abort();
          return response;
        }
        const mirror = createMemoryMirror();
        const { isFullSync } = await client.sync(mirror, { contentType: 'category', live: true, signal: stop.signal });
        window.outcome = [isFullSync, mirror.objects.size, requests];`),
    });
    await using visited = await visit('/changes.html');
    expect(await readOutcome(visited)).toEqual([true, 14, ['/changes/v1 200', '/changes/v1/stream 200']]);
    expect(visited.complaints).toEqual([]);
  });

  test('exposes the error message and the request ID that the server logs', async () => {
    await project.write({
      'error.html': renderPage(`
        const client = createClient({ apiURL: '${demo.url}/api/v1', apiKey: 'gk_wrong', siteId: 's_demo' });
        const error = await client.getContent().catch((error) => error);
        window.outcome = { ...error, message: error.message, isKnown: isUnauthenticated(error) };`),
    });
    await using visited = await visit('/error.html');
    expect(await readOutcome(visited)).toMatchObject({
      message: 'Unauthenticated.',
      status: 401,
      requestId: expect.stringMatching(/^.{8,}$/),
      url: `${demo.url}/api/v1/content`,
      retryable: false,
      isKnown: true,
    });
  });

  test('reports the address that could not be reached', async () => {
    const nobody = await serveFolder(project.path);
    await nobody[Symbol.asyncDispose]();
    await project.write({
      'nobody.html': renderPage(`
        const client = createClient({ apiURL: '${nobody.url}', apiKey: 'gk_x', siteId: 's_demo', retry: false });
        const error = await client.getContentById('c_1').catch((error) => error);
        window.outcome = [error.message, error.code, error.retryable];`),
    });
    await using visited = await visit('/nobody.html');
    const beginning = `${nobody.url}/api/v1/content/c_1 could not be reached: `;
    expect(await readOutcome(visited)).toEqual([expect.stringContaining(beginning), 'network', true]);
  });
});

test('an app bundled by Vite displays content', async () => {
  const app = join(project.path, 'app');
  await mkdir(app);
  await project.write({
    'app/index.html': '<!doctype html><ul></ul><script type="module" src="./main.ts"></script>',
    'app/main.ts': `
      import { createClient, type ContentBody } from '@galley/client';
      const client = ${renderClient('')};
      const list = document.querySelector('ul');
      const show = ({ name }: ContentBody) => list?.append(Object.assign(document.createElement('li'), { textContent: name }));
      for await (const topic of client.iterate({ params: { content_type: 'category', sort: 'name', limit: 3 } })) show(topic);
      document.title = 'done';`,
  });
  await build({ root: app, base: './', configFile: false, logLevel: 'error', build: { target: 'es2022' } });
  await using visited = await visit('/app/dist/');
  const shown = await visited.page.locator('li').allInnerTexts();
  expect(shown).toHaveLength(7);
  expect(shown).toEqual(shown.toSorted((one, other) => one.localeCompare(other)));
  expect(visited.complaints).toEqual([]);
});
