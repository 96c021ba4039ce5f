// Every save creates a version. Versions can be listed, read, compared and restored.

import type { ComparisonBody, RestoredVersionBody, VersionBody, VersionListBody } from '@galley/wire';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineStatement, query, slot } from '../../src/storage/statement.ts';
import { author, content, contentType, site } from '../conformance/records.ts';
import { type Answer, type Manager, startManager } from './manager.ts';

const deleteField = defineStatement(() => sql`delete from fields where handle = ${slot('handle')}`);

const SITE = 's_versions';
const NOTE_FIELDS = [
  { handle: 'line', type: 'text' },
  { handle: 'old', type: 'text' },
  { handle: 'related', type: 'content_links' },
];
let count = 0;

describe('versions', () => {
  let manager: Manager;

  beforeAll(async () => {
    manager = await startManager();
    await manager.service.importRecords([
      site(SITE),
      author('u_ada', 'Ada', { site: SITE }),
      contentType(SITE, 'note', NOTE_FIELDS),
    ]);
  });

  afterAll(() => manager.close());

  /** Saves content once with each of the given sets of values. */
  async function saveEach(...saves: readonly Omit<Parameters<typeof content>[0], 'id'>[]): Promise<string> {
    const id = `c_${++count}`;
    for (const parts of saves) {
      await manager.service.importRecords([content({ id, site: SITE, slug: `s-${count}`, ...parts })]);
    }
    return id;
  }

  function at(id: string, rest = ''): string {
    return `/sites/${SITE}/content/${id}/versions${rest}`;
  }

  function restore(id: string, number: number, version: number, token = manager.editor): Promise<Answer> {
    return manager.call('POST', at(id, `/${number}/restore`), { body: { version }, token });
  }

  async function readName(id: string, isPreview: boolean): Promise<unknown> {
    const { body } = await manager.read(SITE, `/${id}`, isPreview ? { 'x-service-preview': 'true' } : {});
    return body !== null && typeof body === 'object' && 'name' in body ? body.name : undefined;
  }

  test('are listed newest first, with the time and the user who saved them', async () => {
    const id = await saveEach({ name: 'One' }, { name: 'Two', draft: { name: 'Three' } });
    await restore(id, 1, 3);
    const { data, next_before } = await manager.expectOk<VersionListBody>('GET', at(id), undefined, manager.editor);
    expect(data).toMatchObject([
      { number: 4, name: 'One', is_newest: true, is_published: false, saved_by: { name: 'Test editor' } },
      { number: 3, name: 'Three', is_newest: false, is_published: false, saved_by: null },
      { number: 2, name: 'Two', is_newest: false, is_published: true },
      { number: 1, name: 'One', saved_at: '2024-01-01T12:00:00+00:00' },
    ]);
    expect(data[0]?.saved_by?.id).toMatch(/^n_/);
    expect(next_before).toBe(null);
  });

  test('indicate whether they were published and whether they restored an older one', async () => {
    const id = await saveEach({ name: 'One' }, { name: 'Two', draft: { name: 'Three' } });
    const address = `/sites/${SITE}/content/${id}`;
    await restore(id, 1, 3);
    await manager.expectOk('POST', `${address}/publish`, { version: 4 });
    await manager.expectOk('PUT', address, { version: 4, name: 'Five' });
    const listMarks = async () => {
      const { data } = await manager.expectOk<VersionListBody>('GET', at(id));
      return data.map((entry) => [entry.number, entry.is_published, entry.was_published, entry.restored_from]);
    };
    const older = [
      [3, false, false, null],
      [2, false, true, null],
      [1, false, true, null],
    ];
    expect(await listMarks()).toEqual([[5, false, false, null], [4, true, true, 1], ...older]);
    await manager.expectOk('POST', `${address}/unpublish`, {});
    expect(await listMarks()).toEqual([[5, false, false, null], [4, false, true, 1], ...older]);
    expect(await manager.expectOk<VersionBody>('GET', at(id, '/4'))).toMatchObject({ restored_from: 1 });
  });

  test('are listed page by page', async () => {
    const id = await saveEach(...['1', '2', '3', '4', '5'].map((name) => ({ name })));
    const seen: number[][] = [];
    let before: number | null = null;
    do {
      const parameters: string = `?limit=2${before === null ? '' : `&before=${before}`}`;
      const page: VersionListBody = await manager.expectOk('GET', at(id, parameters));
      seen.push(page.data.map(({ number }) => number));
      before = page.next_before;
    } while (before !== null);
    expect(seen).toEqual([[5, 4], [3, 2], [1]]);
    for (const parameters of ['?limit=0', '?limit=101', '?before=x', '?before=-1']) {
      expect(await manager.call('GET', at(id, parameters))).toMatchObject({ status: 422 });
    }
  });

  test('are returned in full', async () => {
    const fields = { line: { text: 'Hello' }, related: { content_links: ['c_1'] } };
    const id = await saveEach({ name: 'One', author: 'u_ada', seo: { title: 'Title' }, fields }, { name: 'Two' });
    const version = await manager.expectOk<VersionBody>('GET', at(id, '/1'));
    expect(version).toMatchObject({ number: 1, name: 'One', author: 'u_ada', uri: null, fields });
    expect(version.seo).toMatchObject({ title: 'Title', description: null, open_graph: { title: null } });
  });

  test('are compared field by field', async () => {
    const id = await saveEach(
      { name: 'One', fields: { line: { text: 'a' } } },
      { name: 'Two', author: 'u_ada', seo: { title: 'T' }, fields: { line: { text: 'b' } } },
    );
    const comparison = await manager.expectOk<ComparisonBody>('GET', at(id, '/1/compare/2'));
    expect(comparison).toEqual({
      from: 1,
      to: 2,
      changes: [
        { path: 'name', before: 'One', after: 'Two' },
        { path: 'author', before: null, after: 'u_ada' },
        { path: 'seo.title', before: null, after: 'T' },
        { path: 'fields.line.text', before: 'a', after: 'b' },
      ],
    });
  });

  test('are restored as a new version that is visible only in previews', async () => {
    const id = await saveEach({ name: 'One', fields: { line: { text: 'a' } } }, { name: 'Two' });
    expect(await restore(id, 1, 2)).toMatchObject({ status: 200, body: { version: 3, left_out: [] } });
    expect([await readName(id, false), await readName(id, true)]).toEqual(['Two', 'One']);
    const { changes } = await manager.expectOk<ComparisonBody>('GET', at(id, '/1/compare/3'));
    expect(changes).toEqual([]);
    const { data } = await manager.expectOk<{ data: { action: string; details: unknown }[] }>('GET', '/audit?limit=1');
    expect(data).toMatchObject([
      { action: 'content.restore_version', subject: { id }, details: { from: 1, version: 3 } },
    ]);
  });

  test('are not saved again if the restored values are already current', async () => {
    const id = await saveEach({ name: 'One' }, { name: 'Two' }, { name: 'One' });
    expect((await restore(id, 1, 3)).body).toEqual({ version: 3, left_out: [] });
    const { data } = await manager.expectOk<VersionListBody>('GET', at(id));
    expect(data).toHaveLength(3);
  });

  test('are not restored over changes that somebody saved in the meantime', async () => {
    const id = await saveEach({ name: 'One' }, { name: 'Two' }, { name: 'Three' });
    const refused = await restore(id, 1, 2);
    expect(refused).toMatchObject({
      status: 409,
      body: { details: { current_version: 3, saved_by: null, changed: ['name'] } },
    });
    expect(await readName(id, true)).toBe('Three');
  });

  test('are restored without obsolete values, which the response lists', async () => {
    const first = { fields: { line: { text: 'a' }, old: { text: 'gone' } }, slug: 'first-slug' };
    const id = await saveEach(first, { slug: 'second-slug' });
    const taker = await saveEach({ slug: 'first-slug' });
    await manager.service.storage.transaction((transaction) => transaction.run(query(deleteField, { handle: 'old' })));
    const { body } = await restore(id, 1, 2);
    expect(body).toEqual({
      version: 3,
      left_out: [
        { path: 'slug', message: `was first-slug, which is taken by content ${taker} (same type and language)` },
        { path: 'fields.old', message: 'is no longer a field of note' },
      ],
    } satisfies RestoredVersionBody);
    const version = await manager.expectOk<VersionBody>('GET', at(id, '/3'));
    expect(version).toMatchObject({ slug: 'second-slug', fields: { line: { text: 'a' } } });
  });

  test('cannot be restored if the content is archived', async () => {
    const id = await saveEach({ name: 'One' }, { name: 'Two', status: 'archived' });
    const refused = await restore(id, 1, 2);
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('is archived') } });
  });

  test('are not found if they do not exist or belong to another account', async () => {
    const id = await saveEach({ name: 'One' });
    for (const rest of ['/2', '/0', '/x', '/1e0', '/99999999999999999999', '/1/compare/7', '/7/compare/1']) {
      expect(await manager.call('GET', at(id, rest))).toMatchObject({ status: 404 });
    }
    expect(await restore(id, 5, 1)).toMatchObject({ status: 404 });
    for (const rest of ['', '/1', '/1/compare/1']) {
      expect(await manager.call('GET', at(id, rest), { token: manager.stranger })).toMatchObject({ status: 404 });
    }
    expect(await restore(id, 1, 1, manager.stranger)).toMatchObject({ status: 404 });
  });

  test('are restored only if the caller sends the number of the latest version', async () => {
    const id = await saveEach({ name: 'One' });
    for (const body of [{}, { version: 0 }, { version: '1' }, { version: 1, force: true }]) {
      expect(await manager.call('POST', at(id, '/1/restore'), { body })).toMatchObject({ status: 422 });
    }
  });
});
