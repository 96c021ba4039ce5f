// Previews: the latest saved version of everything, only for keys with permission.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { LISTED, RECORDS } from './fixture.ts';
import { walk } from './list-walk.ts';
import { contentOf, cursorListOf, errorOf, idsOf, openReader, type Reader, SIMPLE, simpleListOf } from './reader.ts';
import { at, content, contentType, PLAIN, PRESS } from './records.ts';

const SIMPLE_HEADERS = { 'x-service-simple-pagination': 'true' };

let reader: Reader;
let token: string;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    reader = await openReader(RECORDS, {}, { engine });
    token = (await reader.service.createKey({ sites: [PRESS], preview: true })).token;
  });

  afterAll(() => reader.close());

  function preview(headers: Readonly<Record<string, string>> = {}) {
    return { token, headers: { 'x-service-preview': 'true', ...headers } };
  }

  test('shows pending changes instead of the published version', async () => {
    const shown = contentOf(await reader.get('c_pending', preview()));
    expect(shown).toMatchObject({ name: 'Pending, changed', fields: { headline: { text: 'As changed' } } });
    expect(shown.fields.rank).toMatchObject({ number: 7 });
    expect(contentOf(await reader.get('c_pending', { token })).name).toBe('Pending');
  });

  test('shows drafts and unpublished content, with a published_at of null', async () => {
    for (const id of ['c_draft', 'c_gone', 'c_bare_fr']) {
      const shown = contentOf(await reader.get(id, preview()));
      expect(shown).toMatchObject({ id, published_at: null });
    }
  });

  test('keeps the published_at of published content with pending changes', async () => {
    expect(contentOf(await reader.get('c_pending', preview())).published_at).toBe(at(17));
  });

  test('shows published content as public readers see it if nothing newer was saved', async () => {
    expect(contentOf(await reader.get('c_note_sea', preview())).published_at).toBe(at(12));
  });

  test('a preview has the same format as published content', async () => {
    const keys = Object.keys(contentOf(await reader.get('c_full')));
    expect(Object.keys(contentOf(await reader.get('c_draft', preview())))).toEqual(keys);
    const list = cursorListOf(await reader.list('', preview()));
    for (const shown of list.data) expect(Object.keys(shown)).toEqual(keys);
  });

  test('does not show archived content', async () => {
    expect(errorOf(await reader.get('c_archived', preview()))).toEqual([404, 'Content not found.']);
    expect(idsOf(await reader.list('limit=100', preview()))).not.toContain('c_archived');
  });

  test('lists everything once: published, changed, draft and unpublished content', async () => {
    const ids = idsOf(await reader.list('limit=100', preview()));
    expect([...ids].sort()).toEqual([...LISTED, 'c_draft', 'c_gone'].sort());
  });

  test('puts drafts and unpublished content last when sorting by published_at, in both directions', async () => {
    const published = idsOf(await reader.list('sort=published_at:asc'));
    expect(idsOf(await reader.list('', preview()))).toEqual([...LISTED, 'c_draft', 'c_gone']);
    expect(idsOf(await reader.list('sort=published_at:asc', preview()))).toEqual([...published, 'c_draft', 'c_gone']);
  });

  test('sorts and filters by the latest saved version', async () => {
    expect(idsOf(await reader.list('fields[text][headline]=As%20changed', preview()))).toEqual(['c_pending']);
    expect(idsOf(await reader.list('fields[text][headline]=As%20published', preview()))).toEqual([]);
    expect(idsOf(await reader.list('slug=draft', preview()))).toEqual(['c_draft']);
    const byHeadline = idsOf(await reader.list('content_type=article&sort=headline.text:asc', preview()));
    expect(byHeadline).toEqual(['c_pending', 'c_full', 'c_linked', 'c_draft', 'c_bare', 'c_gone']);
    const byRank = idsOf(await reader.list('content_type=article&sort=rank.number:asc&sort=name:desc', preview()));
    expect(byRank).toEqual(['c_linked', 'c_pending', 'c_full', 'c_draft', 'c_gone', 'c_bare']);
  });

  test('paginates published and unpublished content as one list, by cursor and by page', async () => {
    for (const sort of ['', 'name', 'headline.text:desc', 'rank.number']) {
      const whole = idsOf(await reader.list(`sort=${sort}&limit=100`, preview()));
      const walked = (await walk(reader, `sort=${sort}&limit=2`, preview())).flatMap(idsOf);
      expect(walked, sort).toEqual(whole);
      const pages = await Promise.all(
        [1, 2, 3].map((page) => reader.list(`sort=${sort}&limit=4&page=${page}`, preview(SIMPLE_HEADERS))),
      );
      expect(pages.flatMap(idsOf), sort).toEqual(whole);
    }
  });

  test('counts the content that the preview shows', async () => {
    const { meta } = simpleListOf(await reader.list('', preview(SIMPLE_HEADERS)));
    expect(meta.total).toBe(LISTED.length + 2);
    expect(simpleListOf(await reader.list('', SIMPLE)).meta.total).toBe(LISTED.length);
  });

  test('shows links to drafts, but never to archived content or content on another site', async () => {
    const full = contentOf(await reader.get('c_full', preview()));
    const linked = full.fields.related;
    const ids = linked?.type === 'content_links' ? linked.content_links.map(({ content_link }) => content_link.id) : [];
    expect(ids).toEqual(['c_draft', 'c_linked', 'c_gone', 'c_bare']);
    expect((await reader.get('c_full', preview())).text).not.toContain('c_archived');
  });

  test('shows the pending changes in linked content too', async () => {
    await reader.service.importRecords([
      content({ id: 'c_pointer', fields: { mentions: { content_links: ['c_pending'] } } }),
    ]);
    const link = (reply: Awaited<ReturnType<Reader['get']>>) => contentOf(reply).fields.mentions;
    expect(link(await reader.get('c_pointer', preview()))).toMatchObject({
      content_links: [{ content_link: { id: 'c_pending', name: 'Pending, changed' } }],
    });
    expect(link(await reader.get('c_pointer'))).toMatchObject({
      content_links: [{ content_link: { name: 'Pending' } }],
    });
  });

  test('filters by links that only the preview shows', async () => {
    expect(idsOf(await reader.list('fields[content_links][mentions][id]=c_draft', preview()))).toEqual(['c_note_sea']);
    expect(idsOf(await reader.list('fields[content_links][mentions][slug]=draft', preview()))).toEqual(['c_note_sea']);
  });

  test('applies languages and fallbacks to the latest saved versions', async () => {
    const french = idsOf(await reader.list('', preview({ 'x-service-language': 'fr' })));
    expect([...french].sort()).toEqual(['c_bare_fr', 'c_full_fr', 'c_only_fr']);
    const mixed = idsOf(await reader.list('fallback_default_language=1', preview({ 'x-service-language': 'fr' })));
    expect(mixed).not.toContain('c_bare');
    expect(contentOf(await reader.get('c_bare', preview({ 'x-service-language': 'fr' }))).id).toBe('c_bare_fr');
  });

  test('preview mode is enabled by 1 or by true in upper or lower case, and by no other value', async () => {
    for (const on of ['true', '1', 'TRUE', 'True']) {
      expect((await reader.get('c_draft', { token, headers: { 'x-service-preview': on } })).status, on).toBe(200);
    }
    for (const off of ['false', '0', '', 'yes', 'preview']) {
      expect((await reader.get('c_draft', { token, headers: { 'x-service-preview': off } })).status, off).toBe(404);
    }
    expect((await reader.get('c_draft?preview=true&x-service-preview=true', { token })).status).toBe(404);
  });

  test('a preview is rejected for a key without preview permission, on every endpoint', async () => {
    const headers = { 'x-service-preview': 'true' };
    for (const target of ['/api/v1/content', '/api/v1/content/c_full', '/api/v1/content/c_unknown']) {
      const reply = await reader.call(target, { headers });
      expect(errorOf(reply)).toEqual([403, 'This API key may not read previews.']);
    }
  });

  test('a preview gives no access to other sites', async () => {
    expect((await reader.list('', { ...preview(), site: PLAIN })).status).toBe(403);
    expect((await reader.get('c_plain', preview())).status).toBe(404);
  });

  test('a preview is never cacheable', async () => {
    for (const target of ['/api/v1/content', '/api/v1/content/c_full', '/api/v1/content/c_draft']) {
      const reply = await reader.call(target, preview());
      expect(reply.headers['cache-control']).toMatch(/^private, .*no-store$/);
      expect(reply.headers['cache-status']).not.toContain('hit');
    }
  });

  test('shows a saved version immediately, and still shows it after it is published', async () => {
    const { service } = reader;
    await service.importRecords([
      contentType(PRESS, 'memo', [{ handle: 'line', type: 'text' }]),
      content({ id: 'c_memo', content_type: 'memo', status: 'draft', name: 'One', updated_at: at(1) }),
    ]);
    expect(contentOf(await reader.get('c_memo', preview()))).toMatchObject({ name: 'One', updated_at: at(1) });
    await service.importRecords([
      content({ id: 'c_memo', content_type: 'memo', status: 'draft', name: 'Two', updated_at: at(2) }),
    ]);
    expect(contentOf(await reader.get('c_memo', preview()))).toMatchObject({ name: 'Two', updated_at: at(2) });
    await service.publish(PRESS, 'c_memo');
    expect(contentOf(await reader.get('c_memo'))).toMatchObject({ name: 'Two', updated_at: at(2) });
    expect(contentOf(await reader.get('c_memo', preview())).name).toBe('Two');
  });

  test('numbered pages, totals and link filters include each draft as soon as it is saved', async () => {
    const save = (id: string, name: string, link?: string) => {
      const fields = link === undefined ? {} : { see: { content_links: [link] } };
      return content({ id, content_type: 'sheet', status: 'draft', slug: id, name, fields });
    };
    const { service } = reader;
    await service.importRecords([
      contentType(PRESS, 'sheet', [{ handle: 'see', type: 'content_links' }]),
      ...['Bay', 'Cove', 'Delta', 'Estuary'].map((name, index) => save(`c_sheet_${index + 1}`, name)),
    ]);
    const readPages = async () => {
      const query = 'content_type=sheet&sort=name&limit=2&page=';
      const pages = await Promise.all([1, 2].map((page) => reader.list(query + page, preview(SIMPLE_HEADERS))));
      return [...pages.slice(1).map((page) => simpleListOf(page).meta.total), ...pages.flatMap(idsOf)];
    };
    const readPointers = async () =>
      idsOf(await reader.list('fields[content_links][see][slug]=c_sheet_0&sort=name', preview()));
    expect(await readPages()).toEqual([4, 'c_sheet_1', 'c_sheet_2', 'c_sheet_3', 'c_sheet_4']);
    expect(await readPointers()).toEqual([]);

    await service.importRecords([save('c_sheet_0', 'Anchorage')]);
    expect(await readPages()).toEqual([5, 'c_sheet_0', 'c_sheet_1', 'c_sheet_2', 'c_sheet_3']);
    await service.importRecords([save('c_sheet_1', 'Zone'), save('c_sheet_2', 'Cove', 'c_sheet_0')]);
    expect(await readPages()).toEqual([5, 'c_sheet_0', 'c_sheet_2', 'c_sheet_3', 'c_sheet_4']);
    expect(await readPointers()).toEqual(['c_sheet_2']);
  });
});
