// Published content never contains marks, even if somebody writes or requests them: on any endpoint, with any kind of key, in webhook calls
// and in exports.

import type { ManagedAssetBody, NewShareLinkBody, PreviewSettingsBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeMark } from '../../src/content/marks.ts';
import { buildOpenApiDocument } from '../../src/explorer/openapi-document.ts';
import { EventReader } from '../changes/event-reader.ts';
import { exportText } from '../import/export-database.ts';
import { type ContentDesk, openContentDesk, SITE } from '../management/content-desk.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { buildForm, drawNew } from '../management/upload-form.ts';
import { Receiver } from '../webhooks/receiver.ts';

const MARK = encodeMark({ id: 'c_post', path: 'fields.title', language: 'en' });
const MARKED = /\u200b{4}|source_map/;
const WANTED = { 'x-service-site': SITE, 'x-service-source-map': 'true' };
const PREVIEW = { 'x-service-preview': 'true' };

function mark(text: string): string {
  return text + MARK;
}

let manager: Manager;
let desk: ContentDesk;
let receiver: Receiver;
let picture: ManagedAssetBody;
/** With these keys, responses contain published content unless the preview header requests previews. */
let keys: Readonly<Record<string, string>>;
/** Tokens for which every response is a preview. */
let previewTokens: Readonly<Record<string, string>>;

beforeAll(async () => {
  const settings = { GALLEY_WEBHOOK_ALLOW: '127.0.0.1', GALLEY_PUBLIC_URL: 'https://content.example' };
  manager = await startManager(settings);
  desk = await openContentDesk(manager);
  receiver = await Receiver.open();
  await manager.service.importRecords([
    { kind: 'author', id: 'u_marked', site: SITE, name: mark('Imported author') },
    {
      kind: 'content',
      id: 'c_imported',
      site: SITE,
      content_type: 'post',
      language: 'en',
      slug: 'imported',
      name: mark('Imported'),
      author: 'u_marked',
      status: 'published',
      published_at: '2024-01-01T00:00:00+00:00',
      seo: { description: mark('Imported description') },
      fields: { title: { text: mark('Imported title') } },
      draft: { name: mark('Imported draft') },
    },
  ]);
  await manager.expectOk('PATCH', `/sites/${SITE}`, { name: mark('Desk') });
  await manager.expectOk('PATCH', `/sites/${SITE}/types/post`, { name: mark('Post') });
  const form = buildForm({ description: mark('A map') }, [await drawNew(), `${mark('map')}.png`]);
  picture = await manager.expectOk<ManagedAssetBody>('POST', `/sites/${SITE}/assets`, form);
  const hook = { name: mark('Hook'), url: receiver.url, payload: 'full' };
  await manager.expectOk('POST', `/sites/${SITE}/webhooks`, hook);
  manager.service.startSender();
  const post = await desk.create({ id: 'c_post', slug: mark('a-post'), ...buildValues('First') });
  await desk.act(post, 'publish');

  const addresses = [{ name: mark('Website'), address: 'https://desk.example' }];
  const preview = await manager.expectOk<PreviewSettingsBody>('PUT', `/sites/${SITE}/preview`, { addresses });
  const link = await manager.expectOk<NewShareLinkBody>('POST', `/sites/${SITE}/content/c_post/share-links`, {});
  previewTokens = {
    'the preview secret': preview.secret ?? '',
    'a share link': new URL(link.url).searchParams.get('secret') ?? '',
  };
  const createKey = async (options: Parameters<typeof manager.service.createKey>[0]) =>
    (await manager.service.createKey(options)).token;
  keys = {
    'a key for the site': await createKey({ sites: [SITE] }),
    'a key for all sites': await createKey({ allSites: true }),
    'a preview key for the site': await createKey({ sites: [SITE], preview: true }),
    'a preview key for all sites': await createKey({ allSites: true, preview: true }),
  };
});

afterAll(async () => {
  await manager.close();
  await receiver[Symbol.asyncDispose]();
});

function buildValues(name: string): Readonly<Record<string, unknown>> {
  return {
    name: mark(name),
    author: 'u_marked',
    seo: { title: mark('SEO'), open_graph: { image_alt: mark('Alt') } },
    fields: {
      title: { text: mark('Title') },
      body: { text: `<p title="${mark('a')}">${mark('Text')}</p>` },
      notes: { text: mark('# Notes') },
      photos: { assets: [picture.id] },
      related: { content_links: ['c_imported'] },
      parts: { blocks: [{ content_type: 'card', name: mark('Card'), fields: { title: { text: mark('Block') } } }] },
    },
  };
}

async function publish(name: string): Promise<void> {
  const saved = await desk.save(await desk.get('c_post'), buildValues(name));
  await desk.act(saved, 'publish');
}

interface Reply {
  readonly status: number;
  readonly headers: string;
  readonly text: string;
}

async function ask(target: string, token: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const response = await fetch(`${manager.service.url}${target}`, {
    headers: { ...WANTED, authorization: `Bearer ${token}`, ...headers },
  });
  return { status: response.status, headers: JSON.stringify([...response.headers]), text: await response.text() };
}

function expectUnmarked({ status, headers, text }: Reply, what: string): void {
  expect(status, what).toBe(200);
  expect(text, what).not.toMatch(MARKED);
  expect(headers, what).not.toMatch(MARKED);
}

const LISTS = [
  '',
  '?limit=1',
  '?content_type=post',
  '?slug=a-post',
  '?fields[text][title]=Title',
  '?sort=name:asc',
  `?fields[text][title]=${encodeURIComponent(MARK)}`,
];
const MODES = [{}, { 'x-service-simple-pagination': 'true' }, { 'x-service-preview': 'false' }];

/** How each endpoint is read. A new endpoint must be added here. */
const ENDPOINTS: Readonly<Record<string, (token: string, what: string) => Promise<void>>> = {
  '/api/v1/content': async (token, what) => {
    for (const headers of MODES) {
      for (const list of LISTS) expectUnmarked(await ask(`/api/v1/content${list}`, token, headers), `${what} ${list}`);
    }
  },
  '/api/v1/content/{id}': async (token, what) => {
    for (const headers of MODES) {
      for (const id of ['c_post', 'c_imported']) {
        expectUnmarked(await ask(`/api/v1/content/${id}`, token, headers), `${what} ${id}`);
      }
    }
  },
  '/assets/{site}/{asset}/{version}/{name}': async (token, what) => {
    const { pathname } = new URL(picture.url);
    for (const query of ['', '?w=10']) expectUnmarked(await ask(pathname + query, token), what);
  },
  '/changes/v1': async (token, what) => {
    for (const headers of [{}, PREVIEW]) {
      for (const query of ['', '?include=content', '?include=content&limit=1&content_type=post']) {
        expectUnmarked(await ask(`/changes/v1${query}`, token, headers), `${what} ${query}`);
      }
    }
  },
  '/changes/v1/stream': async (token, what) => {
    const headers = { ...WANTED, ...PREVIEW };
    const request = { url: manager.service.url, token, site: SITE, parameters: { include: 'content' }, headers };
    using stream = await EventReader.open(request);
    const seen = [await stream.next()];
    await publish(`Live ${what}`);
    while (!JSON.stringify(seen).includes(`Live ${what}`)) seen.push(await stream.next());
    expect(JSON.stringify(seen), what).not.toMatch(MARKED);
  },
  '/livez': async (token, what) => expectUnmarked(await ask('/livez', token), what),
  '/readyz': async (token, what) => expectUnmarked(await ask('/readyz', token), what),
};

test('this test covers every endpoint of the delivery API', () => {
  const document = buildOpenApiDocument({ headerPrefix: 'X-SERVICE', version: '0.0.0-test' });
  expect(Object.keys(document.paths)).toEqual(Object.keys(ENDPOINTS));
});

describe('published responses have no marks', () => {
  test.each(Object.entries(ENDPOINTS))('on %s', async (_, read) => {
    for (const [what, token] of Object.entries(keys)) {
      // This puts the same content with marks into the caches.
      for (const target of ['/api/v1/content', '/api/v1/content/c_post']) {
        const preview = await ask(target, token, PREVIEW);
        expect(preview.status).toBe(what.includes('preview') ? 200 : 403);
        if (preview.status === 200) expect(preview.text).toMatch(MARKED);
      }
      await read(token, what);
    }
  });

  test('in the management API', async () => {
    for (const token of [manager.owner, manager.editor]) {
      for (const path of [`/sites/${SITE}/content/c_post`, `/sites/${SITE}/content/c_post/delivered`]) {
        expectUnmarked(await ask(`/manage/v1${path}`, token), path);
      }
    }
  });

  test('in webhook calls', async () => {
    await publish('Called');
    await receiver.waitUntil(({ calls }) => calls.some(({ body }) => body.includes('"name":"Called"')));
    for (const { body } of receiver.calls) expect(body).not.toMatch(MARKED);
  });

  test('in exports, even if there is a newer draft', async () => {
    await desk.save(await desk.get('c_post'), buildValues('Newer'));
    const bundle = await exportText(manager.service.storage, SITE);
    expect(bundle).toContain('"Newer"');
    expect(bundle).not.toMatch(MARKED);
  });
});

test('previews have marks only if a header requests them', async () => {
  const modes: Readonly<Record<string, string>>[] = [{}, PREVIEW, { 'x-service-preview': 'false' }];
  for (const [what, token] of Object.entries(previewTokens)) {
    for (const target of ['/api/v1/content', '/api/v1/content/c_post']) {
      for (const headers of modes) {
        expect((await ask(target, token, headers)).text, what).toMatch(MARKED);
        expectUnmarked(await ask(target, token, { ...headers, 'x-service-source-map': 'false' }), what);
      }
    }
    for (const target of ['/changes/v1?include=content', '/changes/v1/stream?include=content']) {
      expect(await ask(target, token), what).toMatchObject({ status: 403 });
    }
  }
});
