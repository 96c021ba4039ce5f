// The guides for previews use the preview secret as the API key. The code for plain HTML runs here, against a real service.

import { globSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { PreviewSettingsBody } from '@galley/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Manager, startManager } from '../management/manager.ts';

const GUIDES = join(import.meta.dirname, '../../../../docs/guides');
const SITE = 's_guide';

const article = (id: string, uri: string): object => ({
  kind: 'content',
  id,
  site: SITE,
  content_type: 'article',
  language: 'en',
  slug: id.replace('_', '-'),
  name: `Draft ${id}`,
  uri,
  status: 'draft',
});

const RECORDS = [
  { kind: 'site', id: SITE, name: 'Guide', default_language: 'en', languages: ['en'], url: 'https://guide.example' },
  { kind: 'content_type', id: 't_article', site: SITE, handle: 'article', name: 'Article', fields: [] },
  article('c_a', 'articles/c-a'),
  article('c_odd', '\\evil.example'),
];

type Handler = (request: IncomingMessage, response: ServerResponse, slug: string) => Promise<void>;

interface Website {
  readonly openDraft: Handler;
  readonly answerArticle: Handler;
}

/** The guide's code, with simple functions in place of those that it leaves to the reader. */
async function loadWebsite(): Promise<Website> {
  const guide = readFileSync(join(GUIDES, 'preview-plain-html.md'), 'utf8');
  const blocks = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);
  const code = `${blocks.join('\n')}
    const showPublished = (response, slug) => response.end('published ' + slug);
    const showArticle = (response, article) => response.end(article.name);
    export { openDraft, answerArticle };`;
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

let manager: Manager;
let secret: string;
let origin: string;
const server = createServer();

beforeAll(async () => {
  manager = await startManager();
  await manager.service.importRecords(RECORDS);
  const addresses = [{ name: 'Website', address: 'https://guide.example' }];
  const settings = await manager.expectOk<PreviewSettingsBody>('PUT', `/sites/${SITE}/preview`, { addresses });
  secret = settings.secret ?? '';
  process.env.GALLEY_API_URL = `${manager.service.url}/api/v1`;
  process.env.GALLEY_SITE = SITE;
  const { openDraft, answerArticle } = await loadWebsite();
  server.on('request', (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const answer = pathname === '/api/draft' ? openDraft : answerArticle;
    answer(request, response, pathname.split('/').at(-1) ?? '').catch((error: unknown) =>
      response.destroy(Object(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  delete process.env.GALLEY_API_URL;
  delete process.env.GALLEY_SITE;
  server.close();
  await manager.close();
});

const open = (token: string, id = 'c_a') =>
  fetch(`${origin}/api/draft?secret=${encodeURIComponent(token)}&id=${encodeURIComponent(id)}`, { redirect: 'manual' });
const visit = (cookie: string) => fetch(`${origin}/articles/c-a`, { headers: { cookie } });

test('the draft route accepts the secret, and redirects only within the website', async () => {
  const opened = await open(secret);
  expect([opened.status, opened.headers.get('location')]).toEqual([307, '/articles/c-a']);
  expect(opened.headers.get('set-cookie')).toMatch(
    /^draft=gps_[\w-]+; .*HttpOnly; Secure; SameSite=None; Partitioned$/,
  );
  expect(opened.headers.get('referrer-policy')).toBe('no-referrer');
  expect(opened.headers.get('cache-control')).toBe('no-store');
  expect((await open(secret, 'c_odd')).headers.get('location')).toBe('/%5Cevil.example');
});

test.each([
  ['', 'c_a'],
  ['gps_wrong', 'c_a'],
  ['gk_x', 'c_a'],
])('the draft route rejects the secret "%s"', async (token, id) => {
  const refused = await open(token, id);
  expect([refused.status, refused.headers.get('set-cookie')]).toEqual([401, null]);
});

test.each(['', 'c_unknown', '../content', '?'])('the draft route rejects the ID "%s"', async (id) => {
  expect((await open(secret, id)).status).toBe(401);
});

test('pages show drafts without caching them, until the secret is replaced', async () => {
  expect(await (await visit('')).text()).toBe('published c-a');
  const draft = await visit(`other=1; draft=${secret}`);
  expect([await draft.text(), draft.headers.get('cache-control')]).toEqual([
    expect.stringContaining('Draft c_a'),
    'no-store',
  ]);
  const missing = await fetch(`${origin}/articles/none`, { headers: { cookie: `draft=${secret}` } });
  expect(missing.status).toBe(404);
  await manager.expectOk('POST', `/sites/${SITE}/preview/rotate-secret`);
  const ended = await visit(`draft=${secret}`);
  expect(ended.status).toBe(401);
  expect(ended.headers.get('set-cookie')).toMatch(/^draft=; Max-Age=0;/);
  expect((await open(secret)).status).toBe(401);
});

test('no guide compares the secret with a stored copy, and every guide encodes paths and forbids caching', () => {
  const guides = globSync('preview-*.md', { cwd: GUIDES });
  expect(guides.length).toBeGreaterThan(4);
  for (const guide of guides) {
    const text = readFileSync(join(GUIDES, guide), 'utf8');
    expect(text, guide).not.toMatch(/timingSafeEqual|PREVIEW_SECRET|previewSecret|PREVIEW_KEY/);
    expect(text, guide).toMatch(/encodeURIComponent|buildPath/);
    expect(text, guide).toMatch(/no-store/);
  }
});
