// Cursors: opaque, limited in size, rejected unless the service issued them, and still valid after the object they
// point to has changed.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { RECORDS } from './fixture.ts';
import { lastOf, walk, walkOn } from './list-walk.ts';
import { cursorListOf, errorOf, idsOf, linksOf, openReader, type Reader, targetOf } from './reader.ts';
import { at, content, contentType, PLAIN, PRESS } from './records.ts';
import { STEP_RECORDS } from './steps.ts';

const INVALID = [422, 'The cursor is invalid.'];

const LONG_KEYS = ['t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8'];

/** Long text values that use as many bytes as possible and differ only at the end. */
function longText(index: number): string {
  return `${'漢'.repeat(130)}${index}`;
}

let reader: Reader;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    const keys = LONG_KEYS.map((handle) => ({ handle, type: 'text' }));
    const fields = (text: string) => Object.fromEntries(LONG_KEYS.map((handle) => [handle, { text }]));
    reader = await openReader(
      [
        ...RECORDS,
        ...STEP_RECORDS,
        contentType(PRESS, 'lengthy', keys),
        ...Array.from({ length: 5 }, (_, index) =>
          content({ id: `${'long_'.repeat(12)}${index}`, content_type: 'lengthy', fields: fields(longText(index)) }),
        ),
      ],
      {},
      { engine },
    );
  });

  afterAll(() => reader.close());

  test('issues URL-safe cursors of at most 1,024 characters', async () => {
    for (const reply of await walk(reader, 'sort=name&limit=2')) {
      const { next } = linksOf(reply);
      if (next === undefined) continue;
      expect(new URL(next).searchParams.get('cursor')).toMatch(/^[A-Za-z0-9_-]{1,1024}$/);
    }
  });

  test('pages forwards and backwards through lists whose sort keys are longer than a cursor', async () => {
    const sort = LONG_KEYS.map((handle, index) => `sort[]=${handle}.text:${index % 2 === 0 ? 'desc' : 'asc'}`).join(
      '&',
    );
    const whole = idsOf(await reader.list(`content_type=lengthy&limit=100&${sort}`));
    expect(whole).toHaveLength(5);
    const sets = await walk(reader, `content_type=lengthy&limit=2&${sort}`);
    expect(sets.flatMap(idsOf)).toEqual(whole);
    for (const reply of sets) {
      for (const url of Object.values(linksOf(reply))) {
        expect(new URL(url).searchParams.get('cursor')?.length).toBeLessThanOrEqual(1024);
      }
    }
    const last = lastOf(sets);
    expect(idsOf(await reader.call(targetOf(linksOf(last).prev)))).toEqual(whole.slice(2, 4));
  });

  test('continues a list with long sort keys at the same place after the object at the cursor is unpublished or changed', async () => {
    const { service } = reader;
    const fields = (text: string) => Object.fromEntries(LONG_KEYS.map((handle) => [handle, { text }]));
    const make = (index: number, text = longText(index)) =>
      content({
        id: `far_${index}`,
        content_type: 'lengthy',
        slug: `far-${index}`,
        author: 'u_ada',
        fields: fields(text),
      });
    await service.importRecords([make(1), make(2), make(3), make(4)]);
    const query = `author=u_ada&content_type=lengthy&limit=2&${LONG_KEYS.map((handle) => `sort[]=${handle}.text`).join('&')}`;
    const first = await reader.list(query);
    expect(idsOf(first)).toEqual(['far_1', 'far_2']);
    const next = targetOf(linksOf(first).next);
    await service.unpublish(PRESS, 'far_2');
    expect(idsOf(await reader.call(next))).toEqual(['far_3', 'far_4']);
    await service.publish(PRESS, 'far_2');
    await service.importRecords([make(2, 'moved to the front')]);
    expect(idsOf(await reader.call(next))).toEqual(['far_3', 'far_4']);
  });

  test('rejects a malformed cursor', async () => {
    const malformed = [
      'x',
      '0',
      '-',
      'null',
      'undefined',
      'e30',
      'eyJpZCI6MX0',
      'A'.repeat(1024),
      'A'.repeat(1025),
      '%00',
      '漢',
    ];
    for (const cursor of malformed) {
      expect(errorOf(await reader.list(`cursor=${encodeURIComponent(cursor)}`)), cursor).toEqual(INVALID);
    }
  });

  test('rejects a cursor with any character changed', async () => {
    const cursor = cursorListOf(await reader.list('content_type=step&limit=2&sort=name')).meta.next_cursor ?? '';
    const altered = [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, cursor.toLowerCase()];
    for (let index = 0; index < cursor.length; index++) {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      altered.push(`${cursor.slice(0, index)}${other}${cursor.slice(index + 1)}`);
    }
    for (const text of altered) {
      if (text === cursor) continue;
      expect(errorOf(await reader.list(`content_type=step&limit=2&sort=name&cursor=${text}`)), text).toEqual(INVALID);
    }
  });

  test('rejects a cursor issued for a different sort', async () => {
    const cursor = cursorListOf(await reader.list('content_type=step&limit=2&sort=name')).meta.next_cursor;
    for (const sort of ['', 'name:desc', 'slug', 'created_at', 'rank.number', 'title.text', 'name&sort=slug']) {
      const reply = await reader.list(`content_type=step&limit=2&sort=${sort}&cursor=${cursor}`);
      expect(errorOf(reply), sort).toEqual(INVALID);
    }
  });

  test('accepts a cursor for the same sort in a different spelling', async () => {
    const cursor = cursorListOf(await reader.list('content_type=step&limit=2&sort=name')).meta.next_cursor;
    for (const sort of ['sort=name:asc', 'sort[]=name', 'sort%5B0%5D=name%3Aasc']) {
      const reply = await reader.list(`content_type=step&limit=2&${sort}&cursor=${cursor}`);
      expect(idsOf(reply)).toHaveLength(2);
    }
  });

  test('requires a key for a request with a cursor, and rejects a cursor from another site', async () => {
    const { token } = await reader.service.createKey({ sites: [PLAIN] });
    const cursor = linksOf(await reader.list('limit=1', { token, site: PLAIN })).next ?? '';
    const foreign = new URL(cursor).searchParams.get('cursor');
    expect(idsOf(await reader.list(`limit=100&cursor=${foreign}`, { token, site: PLAIN })).length).toBeGreaterThan(0);
    expect(errorOf(await reader.list(`limit=100&cursor=${foreign}`))).toEqual(INVALID);
    expect((await reader.list(`cursor=${foreign}`, { token: undefined })).status).toBe(401);
    expect((await reader.list(`cursor=${foreign}`, { site: PLAIN })).status).toBe(403);
  });

  test('accepts a cursor whose object was unpublished', async () => {
    const { service } = reader;
    const contents = ['e_1', 'e_2', 'e_3', 'e_4'].map((id) => content({ id, content_type: 'edge' }));
    await service.importRecords([contentType(PRESS, 'edge', []), ...contents]);
    const first = await reader.list('content_type=edge&sort=name&limit=2');
    await service.unpublish(PRESS, 'e_2');
    const second = await reader.call(targetOf(linksOf(first).next));
    expect(idsOf(second)).toEqual(['e_3', 'e_4']);
    expect(idsOf(await reader.call(targetOf(linksOf(second).prev)))).toEqual(['e_1']);
    await service.publish(PRESS, 'e_2');
  });

  test('links back from an empty set without skipping objects', async () => {
    const { service } = reader;
    const contents = ['v_1', 'v_2', 'v_3'].map((id) => content({ id, content_type: 'void' }));
    await service.importRecords([contentType(PRESS, 'void', []), ...contents]);
    const first = await reader.list('content_type=void&sort=name&limit=2');
    await service.unpublish(PRESS, 'v_3');
    const second = cursorListOf(await reader.call(targetOf(linksOf(first).next)));
    expect(second.data).toEqual([]);
    expect(second.links.next).toBe(null);
    expect(idsOf(await reader.call(targetOf(second.links.prev)))).toEqual(['v_1', 'v_2']);
  });

  test('neither skips nor repeats unchanged objects while other objects are added, removed and moved', async () => {
    const { service } = reader;
    const make = (id: string, name: string) => content({ id, content_type: 'busy', name, updated_at: at(2) });
    const stable = ['m_2', 'm_4', 'm_6', 'm_8'].map((id) => make(id, id));
    await service.importRecords([contentType(PRESS, 'busy', []), ...stable, make('m_3', 'm_3')]);
    const first = await reader.list('content_type=busy&sort=name&limit=2');
    expect(idsOf(first)).toEqual(['m_2', 'm_3']);
    await service.importRecords([make('m_1', 'm_1'), make('m_5', 'm_5'), make('m_3', 'm_9')]);
    expect((await walkOn(reader, first)).flatMap(idsOf)).toEqual(['m_4', 'm_5', 'm_6', 'm_8', 'm_3']);
  });
});
