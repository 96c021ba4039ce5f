// Malicious input is rejected with a clear error, is not stored, and does not slow down other callers.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from './manager.ts';

const SITE = 's_hostile';
const CONTENT = `/sites/${SITE}/content`;

const FIELDS = [
  { handle: 'plain', name: 'Plain', type: 'text' },
  { handle: 'rich', name: 'Rich', type: 'text', format: 'html' },
  { handle: 'items', name: 'Items', type: 'list' },
  { handle: 'links', name: 'Links', type: 'content_links' },
  { handle: 'files', name: 'Files', type: 'assets' },
  { handle: 'parts', name: 'Parts', type: 'blocks' },
  { handle: 'secret', name: 'Secret', type: 'text', required: true, hidden: true },
];

function repeat<Item>(count: number, build: (index: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, index) => build(index));
}

describe('hostile input', () => {
  let manager: Manager;

  beforeAll(async () => {
    manager = await startManager();
    await manager.expectOk('POST', '/sites', { id: SITE, name: 'Hostile', url: 'https://hostile.example' });
    await manager.expectOk('POST', `/sites/${SITE}/types`, { handle: 'page', name: 'Page', fields: FIELDS });
  });

  afterAll(() => manager.close());

  async function countContents(): Promise<number> {
    const { data } = await manager.expectOk<{ data: readonly unknown[] }>('GET', CONTENT);
    return data.length;
  }

  test.each<[string, object]>([
    ['lots of links to unknown content', { links: { content_links: repeat(125_000, (index) => `c_${index}`) } }],
    ['lots of unknown assets', { files: { assets: repeat(125_000, (index) => `a_${index}`) } }],
    ['lots of blocks of unknown types', { parts: { blocks: repeat(100_000, () => ({ content_type: 'x' })) } }],
    ['lots of items of the wrong type', { items: { list: repeat(400_000, () => 1) } }],
    ['too many items', { items: { list: repeat(1001, () => 'x') } }],
    ['text that is too long', { plain: { text: 'x'.repeat(1_000_001) } }],
    ['markup that is too long', { rich: { text: '&'.repeat(400_001) } }],
    ['a million objects', { items: repeat(1_000_000, () => ({})) }],
    ['lots of unknown properties', Object.fromEntries(repeat(100_000, (index) => [`u${index}`, 1]))],
  ])('is rejected with a short error: %s', async (_what, fields) => {
    const before = await countContents();
    const answer = await manager.call('POST', CONTENT, { body: { content_type: 'page', name: 'Many', fields } });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body).length).toBeLessThan(60_000);
    expect(await countContents()).toBe(before);
  });

  test.each([
    [{ uri: 'javascript:alert(1)' }, 'uri'],
    [{ uri: '../../x' }, 'uri'],
    [{ uri: 'a/./b' }, 'uri'],
    [{ slug: '..' }, 'slug'],
    [{ seo: { canonical_url: 'javascript:alert(1)' } }, 'seo.canonical_url'],
    [{ seo: { canonical_url: `https://x.example/${'x'.repeat(3000)}` } }, 'seo.canonical_url'],
    [{ seo: { open_graph: { url: 'data:text/html,x' } } }, 'seo.open_graph.url'],
    [{ seo: { open_graph: { image_secure_url: ' https://x.example' } } }, 'seo.open_graph.image_secure_url'],
  ])('is rejected in a URL: %j', async (members, path) => {
    const answer = await manager.call('POST', CONTENT, { body: { content_type: 'page', name: 'Bad', ...members } });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } });
  });

  test('is rejected if it contradicts the data: URL of an asset that is created or changed', async () => {
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    const assets = `/sites/${SITE}/assets`;
    const contradictions = [
      [{ mime_type: 'text/html' }, ['mime_type']],
      [{ mime_type: 'image/svg+xml' }, ['mime_type']],
      [{ extension: 'svg' }, ['extension']],
      [{ path: 'a/b.SVG', extension: 'PNG' }, ['path']],
      [{ path: 'a/b.svg', extension: 'svg', mime_type: 'image/svg+xml' }, ['mime_type', 'extension', 'path']],
    ] as const;
    const { id } = await manager.expectOk<{ id: string }>('POST', assets, { name: 'A', url, path: 'a/b.png' });
    for (const [members, places] of contradictions) {
      const expected = { status: 422, body: { errors: places.map((path) => ({ path })) } };
      expect(await manager.call('POST', assets, { body: { name: 'A', url, ...members } })).toMatchObject(expected);
      expect(await manager.call('PATCH', `${assets}/${id}`, { body: members })).toMatchObject(expected);
    }
    await manager.expectOk('PATCH', `${assets}/${id}`, { extension: '', path: 'a/b' });
  });

  test('is removed by the next save after the format of a text field was changed to HTML, even if that save does not change the field', async () => {
    const text = '<p>ok</p><script>alert(1)</script>';
    const body = { content_type: 'page', name: 'Old', fields: { plain: { text } } };
    const { id } = await manager.expectOk<{ id: string }>('POST', CONTENT, body);
    await manager.expectOk('PATCH', `/sites/${SITE}/types/page/fields/plain`, { format: 'html' });
    const saved = await manager.expectOk('PUT', `${CONTENT}/${id}`, { version: 1, name: 'Renamed' });
    expect(saved).toMatchObject({ fields: { plain: { text: '<p>ok</p>' } }, sanitised: ['fields.plain.text'] });
  });

  test('an empty required field does not prevent publishing while it is hidden', async () => {
    const { id } = await manager.expectOk<{ id: string }>('POST', CONTENT, { content_type: 'page', name: 'Open' });
    await manager.expectOk('POST', `${CONTENT}/${id}/publish`, {});
    expect(await manager.read(SITE, `/${id}`)).toMatchObject({ status: 200 });
  });

  test('is rejected if it comes from a page on another origin, even if the browser sends only the Origin header', async () => {
    const { host } = new URL(manager.service.url);
    for (const origin of ['https://evil.example', 'null', `http://evil.${host}`]) {
      expect(await manager.call('GET', '/account', { headers: { origin } })).toMatchObject({ status: 403 });
    }
    const own = await manager.call('GET', '/account', { headers: { origin: manager.service.url } });
    expect(own.status).toBe(200);
  });

  test('a request for content that embeds very large objects is rejected without rendering the content', async () => {
    const text = 'x'.repeat(900_000);
    const card = { handle: 'card', name: 'Card', object_type: 'block', fields: [FIELDS[3]] };
    await manager.expectOk('POST', `/sites/${SITE}/types`, card);
    const record = { kind: 'content', site: SITE, content_type: 'page', language: 'en', status: 'published' };
    const build = (id: string, fields: object): object => ({ ...record, id, slug: id, name: id, fields });
    const blocks = repeat(40, () => ({ content_type: 'card', fields: { links: { content_links: ['c_large'] } } }));
    await manager.service.importRecords([build('c_large', {}), build('c_hub', { parts: { blocks } })]);
    await manager.service.importRecords([build('c_large', { plain: { text } })]);
    const answer = await manager.read(SITE, '/c_hub');
    expect([answer.status, answer.body]).toEqual([
      422,
      { message: 'The object, including everything embedded in it, is larger than 32 MB.' },
    ]);
  });
});
