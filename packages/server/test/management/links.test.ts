// Incoming links: the content that links to a content object.

import type { BacklinkListBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countBacklinks, selectBacklinks } from '../../src/storage/contents/content-uses.ts';
import { selectSite } from '../../src/storage/sites/select-catalog.ts';
import { content, contentType, site } from '../conformance/records.ts';
import { type Manager, startManager } from './manager.ts';

const SITE = 's_links';
const related = (...ids: readonly string[]) => ({ related: { content_links: ids } });
const nested = (...ids: readonly string[]) => ({
  body: {
    blocks: [
      { content_type: 'row', fields: { cards: { blocks: [{ content_type: 'card', fields: related(...ids) }] } } },
    ],
  },
});

describe('links to a content object', () => {
  let manager: Manager;

  beforeAll(async () => {
    manager = await startManager();
    const note = [
      { handle: 'related', type: 'content_links' },
      { handle: 'body', type: 'blocks' },
    ];
    await manager.service.importRecords([
      site(SITE),
      site('s_other'),
      contentType('s_other', 'note', note),
      contentType(SITE, 'note', note),
      contentType(SITE, 'row', [{ handle: 'cards', type: 'blocks' }], { object_type: 'block' }),
      contentType(SITE, 'card', [{ handle: 'related', type: 'content_links' }], { object_type: 'block' }),
      content({ id: 'c_target', site: SITE }),
      content({ id: 'c_lonely', site: SITE }),
      content({ id: 'c_plain', site: SITE, name: 'Plain', fields: related('c_target') }),
      content({ id: 'c_nested', site: SITE, fields: nested('c_target') }),
      content({ id: 'c_twice', site: SITE, fields: { ...related('c_target'), ...nested('c_target') } }),
      content({ id: 'c_draft', site: SITE, status: 'draft', fields: related('c_target') }),
      content({ id: 'c_soon', site: SITE, draft: { fields: related('c_target') } }),
      content({ id: 'c_not_long', site: SITE, fields: related('c_target'), draft: { fields: { related: null } } }),
      content({ id: 'c_archived', site: SITE, status: 'archived', fields: related('c_target') }),
      content({ id: 'c_itself', site: SITE, fields: related('c_itself') }),
      content({ id: 'c_far', site: 's_other', fields: related('c_target') }),
    ]);
  });

  afterAll(() => manager.close());

  function list(id: string, query = ''): Promise<BacklinkListBody> {
    return manager.expectOk('GET', `/sites/${SITE}/content/${id}/links${query}`, undefined, manager.editor);
  }

  test('include links in blocks and drafts, with each linking object listed once', async () => {
    const { data, total } = await list('c_target');
    expect(data.map(({ id, state, is_public }) => [id, state, is_public])).toEqual([
      ['c_not_long', 'changed', true],
      ['c_soon', 'changed', false],
      ['c_draft', 'draft', false],
      ['c_twice', 'published', true],
      ['c_nested', 'published', true],
      ['c_plain', 'published', true],
    ]);
    expect(total).toBe(6);
    expect(data.at(-1)).toEqual({
      id: 'c_plain',
      name: 'Plain',
      content_type: 'note',
      state: 'published',
      language: 'en',
      is_public: true,
    });
  });

  test('exclude links from the object itself, and the list is empty if no other object links to it', async () => {
    expect(await list('c_itself')).toEqual({ data: [], total: 0 });
    expect(await list('c_lonely')).toEqual({ data: [], total: 0 });
  });

  test('are returned as one page, along with their total number', async () => {
    const { data, total } = await list('c_target', '?limit=2');
    expect([data.map(({ id }) => id), total]).toEqual([['c_not_long', 'c_soon'], 6]);
    for (const limit of ['0', '101', 'x', '', '1.5']) {
      const answer = await manager.call('GET', `/sites/${SITE}/content/c_target/links?limit=${limit}`);
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'query.limit' }] } });
    }
  });

  test('can be restricted to links that are visible to readers', async () => {
    const { storage } = manager.service;
    const siteNo = (await storage.read(selectSite(SITE)))?.no ?? 0;
    const rows = await storage.read(selectBacklinks(siteNo, 'c_target', { isPublishedOnly: true, limit: 10 }));
    expect(rows.map(({ id }) => id)).toEqual(['c_not_long', 'c_twice', 'c_nested', 'c_plain']);
    expect(await storage.read(countBacklinks(siteNo, 'c_target', { isPublishedOnly: true }))).toBe(4);
    expect(await storage.read(countBacklinks(siteNo, 'c_target', { isPublishedOnly: true }, 3))).toBe(3);
    expect(await storage.read(countBacklinks(siteNo, 'c_target', { isPublishedOnly: false }, 5))).toBe(5);
  });

  test('are updated when the linking content is published, unpublished or changed', async () => {
    await manager.service.importRecords([
      content({ id: 'c_moving', site: SITE, fields: related('c_lonely', 'c_plain') }),
    ]);
    expect((await list('c_lonely')).data).toMatchObject([{ id: 'c_moving', is_public: true }]);
    await manager.service.unpublish(SITE, 'c_moving');
    expect((await list('c_lonely')).data).toMatchObject([{ id: 'c_moving', is_public: false, state: 'unpublished' }]);
    await manager.service.importRecords([content({ id: 'c_moving', site: SITE, fields: related('c_plain') })]);
    expect(await list('c_lonely')).toEqual({ data: [], total: 0 });
  });

  test('are counted only up to 1,000 in the confirmation for removing content', async () => {
    const links = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        content({ id: `c_link_${from + index}`, site: SITE, fields: related('c_hub') }),
      );
    await manager.service.importRecords([content({ id: 'c_hub', site: SITE }), ...links(0, 1000)]);
    const path = `/sites/${SITE}/content/c_hub/unpublish`;
    expect(await manager.call('POST', path, { body: {} })).toMatchObject({
      status: 409,
      body: {
        message: '1,000 published pages link to c_hub. These links will stop working. Confirm to continue.',
        details: { total: 1000, has_more: false },
      },
    });
    await manager.service.importRecords(links(1000, 2));
    const refused = await manager.call('POST', path, { body: {} });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        message: 'More than 1,000 published pages link to c_hub. These links will stop working. Confirm to continue.',
        details: { total: 1000, has_more: true },
      },
    });
    expect(Object(refused.body).details.linked_from).toHaveLength(100);
  });

  test('are not available to other accounts', async () => {
    const path = `/sites/${SITE}/content/c_target/links`;
    const strange = await manager.call('GET', path, { token: manager.stranger });
    expect([strange.status, strange.body]).toEqual([404, { message: `There is no site ${SITE}.`, code: 'not_found' }]);
    const unknown = await manager.call('GET', `/sites/${SITE}/content/c_nothing/links`);
    expect([unknown.status, unknown.body]).toEqual([
      404,
      { message: `There is no content c_nothing in site ${SITE}.`, code: 'not_found' },
    ]);
  });
});
