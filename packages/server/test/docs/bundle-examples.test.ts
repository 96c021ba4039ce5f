// Imports the bundle from docs/bundle.md unchanged and checks that readers see what the page says.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/bundle.md'), 'utf8');

const records = [...PAGE.matchAll(/^```ndjson\n([^`]*)```$/gm)].flatMap(([, lines = '']) =>
  lines
    .trimEnd()
    .split('\n')
    .map((line): object => JSON.parse(line)),
);

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService();
  await service.importRecords(records);
  token = (await service.createKey({ sites: ['s_blog'], preview: true })).token;
});

afterAll(() => service.close());

async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const response = await fetch(`${service.url}/api/v1/content${path}`, {
    headers: { authorization: `Bearer ${token}`, 'x-service-site': 's_blog', ...headers },
  });
  return response.json();
}

test('content has its uri, default values for its asset, and no links to unpublished content', async () => {
  expect(await get('/c_1')).toMatchObject({
    uri: 'posts/hello',
    url: 'https://blog.example/posts/hello',
    created_at: '2024-05-01T10:00:00+00:00',
    fields: {
      title: { name: 'Title', text: 'Hello' },
      photos: { assets: [{ asset: { path: 'photo.jpg', extension: 'jpg', mime_type: 'image/jpeg' } }] },
      related: { content_links: [] },
    },
  });
});

test('a translation can be fetched with the id of the content it translates', async () => {
  expect(await get('/c_1', { 'x-service-language': 'fr' })).toMatchObject({ id: 'c_1_fr', uri: 'fr/posts/bonjour' });
});

test('a draft changes only the properties it contains, and is visible only in previews', async () => {
  const fields = { title: { text: 'The third' }, rank: { number: 3 } };
  expect(await get('/c_3')).toMatchObject({ name: 'Third', fields });
  const changed = { title: { text: 'The third, changed' }, rank: { number: null } };
  expect(await get('/c_3', { 'x-service-preview': 'true' })).toMatchObject({
    name: 'Third, changed',
    slug: 'third',
    fields: changed,
  });
});
