// The order of a list: every attribute, fields across content types, missing values and ties.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { ATTRIBUTES, LIBRARY_RECORDS, LIBRARY_TYPES, SHELF } from './library.ts';
import { idsOf, openReader, type Reader, SIMPLE } from './reader.ts';
import { content, contentType, PRESS } from './records.ts';

let reader: Reader;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    reader = await openReader(LIBRARY_RECORDS, {}, { engine });
  });

  afterAll(() => reader.close());

  /** The order of the whole list; both modes must agree on it. */
  async function order(query: string): Promise<readonly string[]> {
    const ids = idsOf(await reader.list(`${query}&limit=100`));
    expect(idsOf(await reader.list(`${query}&limit=100`, SIMPLE)), `${query} in simple mode`).toEqual(ids);
    return ids;
  }

  test('puts the most recently published content first by default', async () => {
    const newestFirst = ['c_2', 'c_4', 'c_1', 'c_5', 'c_3'];
    expect(await order('content_type=shelf')).toEqual(newestFirst);
    expect(await order('content_type=shelf&sort=published_at:desc')).toEqual(newestFirst);
    expect(await order('content_type=shelf&sort=')).toEqual(newestFirst);
  });

  test('sorts by each fixed attribute in both directions', async () => {
    for (const attribute of ATTRIBUTES) {
      const ascending = SHELF.toSorted((a, b) => (a[attribute] < b[attribute] ? -1 : 1)).map(({ id }) => id);
      expect(await order(`content_type=shelf&sort=${attribute}:asc`), attribute).toEqual(ascending);
      expect(await order(`content_type=shelf&sort=${attribute}:desc`), attribute).toEqual(ascending.toReversed());
    }
  });

  test('sorts in ascending order when the direction is omitted', async () => {
    for (const attribute of ATTRIBUTES) {
      expect(await order(`content_type=shelf&sort=${attribute}`)).toEqual(
        await order(`content_type=shelf&sort=${attribute}:asc`),
      );
    }
    expect(await order('content_type=book&sort=pages.number')).toEqual(['b_2', 'b_3', 'b_1', 'b_4']);
  });

  test('sorts by a text field and by a number field in both directions', async () => {
    expect(await order('content_type=book&sort=title.text:asc')).toEqual(['b_2', 'b_4', 'b_1', 'b_3']);
    expect(await order('content_type=book&sort=title.text:desc')).toEqual(['b_1', 'b_4', 'b_2', 'b_3']);
    expect(await order('content_type=book&sort=pages.number:asc')).toEqual(['b_2', 'b_3', 'b_1', 'b_4']);
    expect(await order('content_type=book&sort=pages.number:desc')).toEqual(['b_1', 'b_3', 'b_2', 'b_4']);
  });

  test('sorts by a field across content types, and puts content without the field last, ordered by id', async () => {
    const lacking = ['a_thing', 'b_3', 'f_2', 'z_thing'];
    expect(await order(`${LIBRARY_TYPES}&sort=title.text:asc`)).toEqual(['b_2', 'b_4', 'f_1', 'b_1', ...lacking]);
    expect(await order(`${LIBRARY_TYPES}&sort=title.text:desc`)).toEqual(['b_1', 'f_1', 'b_4', 'b_2', ...lacking]);
  });

  test('sorts all content on the site by a field when no content type is given', async () => {
    const ids = await order('sort=pages.number:desc');
    expect(ids.slice(0, 3)).toEqual(['b_1', 'b_3', 'b_2']);
    expect(ids.slice(3)).toEqual([...ids.slice(3)].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('orders numbers by value, including fractions and negative numbers', async () => {
    const numbers = [-1e21, -10, -9.5, -0.1, 0, 0.1, 0.25, 2, 9, 10, 9007199254740991, 1e21];
    // The ids are in the reverse order of the numbers.
    const contents = numbers.map((number, index) =>
      content({ id: `n_${String(99 - index)}`, content_type: 'height', fields: { high: { number } } }),
    );
    await reader.service.importRecords([
      contentType(PRESS, 'height', [{ handle: 'high', type: 'number' }]),
      ...contents,
    ]);
    const ascending = numbers.map((_, index) => `n_${99 - index}`);
    expect(await order('content_type=height&sort=high.number:asc')).toEqual(ascending);
    expect(await order('content_type=height&sort=high.number:desc')).toEqual(ascending.toReversed());
  });

  test('uses only fields that fit the accessor when the same handle is text in one type and a number in another', async () => {
    await reader.service.importRecords([
      contentType(PRESS, 'worded', [{ handle: 'code', type: 'text' }]),
      contentType(PRESS, 'counted', [{ handle: 'code', type: 'number' }]),
      content({ id: 'k_1', content_type: 'worded', fields: { code: { text: 'b' } } }),
      content({ id: 'k_2', content_type: 'worded', fields: { code: { text: 'a' } } }),
      content({ id: 'k_3', content_type: 'counted', fields: { code: { number: 1 } } }),
      content({ id: 'k_4', content_type: 'counted', fields: { code: { number: 2 } } }),
    ]);
    const types = 'content_type=worded&content_type=counted&match=any';
    expect(await order(`${types}&sort=code.text:asc`)).toEqual(['k_2', 'k_1', 'k_3', 'k_4']);
    expect(await order(`${types}&sort=code.number:desc`)).toEqual(['k_4', 'k_3', 'k_1', 'k_2']);
  });

  test('sorts text without regard to case or accents', async () => {
    const words = [
      'A',
      'á1',
      'Ａ2',
      'Ab',
      'ÀC',
      'äd',
      'e\u0301a',
      'Éb',
      'ec',
      'ﬁle1',
      'File2',
      'ﬁLE3',
      'Ω',
      'ώa',
      '漢',
    ];
    // The ids are in the reverse order of the words.
    await reader.service.importRecords([
      contentType(PRESS, 'word', [{ handle: 'text', type: 'text' }]),
      ...words.map((word, index) =>
        content({
          id: `w_${String(99 - index)}`,
          content_type: 'word',
          slug: `w${index}`,
          name: word,
          fields: { text: { text: word } },
        }),
      ),
    ]);
    const ascending = words.map((_, index) => `w_${99 - index}`);
    expect(await order('content_type=word&sort=name:asc')).toEqual(ascending);
    expect(await order('content_type=word&sort=name:desc')).toEqual(ascending.toReversed());
    expect(await order('content_type=word&sort=text.text:asc')).toEqual(ascending);
    expect(await order('content_type=word&sort=text.text:desc')).toEqual(ascending.toReversed());
  });

  test('orders words that differ only in case and accents by id, in both directions', async () => {
    const alike = ['Résumé', 'resume', 'RESUME', 're\u0301sume\u0301'];
    await reader.service.importRecords([
      contentType(PRESS, 'alike', []),
      ...alike.map((name, index) => content({ id: `same_${index}`, content_type: 'alike', name })),
    ]);
    for (const direction of ['asc', 'desc']) {
      const shown = await order(`content_type=alike&sort=name:${direction}`);
      expect(shown).toEqual(['same_0', 'same_1', 'same_2', 'same_3']);
    }
  });

  test('orders long text by the first 400 bytes of its sort key, and breaks ties by id', async () => {
    const beginning = 'É'.repeat(400);
    await reader.service.importRecords([
      contentType(PRESS, 'essay', [{ handle: 'essay', type: 'text' }]),
      content({ id: 'e_1', content_type: 'essay', fields: { essay: { text: `${beginning}z` } } }),
      content({ id: 'e_2', content_type: 'essay', fields: { essay: { text: `${beginning}a` } } }),
      content({ id: 'e_3', content_type: 'essay', fields: { essay: { text: `${beginning.slice(1)}a` } } }),
    ]);
    expect(await order('content_type=essay&sort=essay.text:asc')).toEqual(['e_3', 'e_1', 'e_2']);
    expect(await order('content_type=essay&sort=essay.text:desc')).toEqual(['e_1', 'e_2', 'e_3']);
  });

  test('breaks ties by the bytes of the id, ascending, in both directions', async () => {
    const ids = ['-', '0', '9', 'A', 'Z', '_', 'a', 'a-', 'a0', 'aA', 'a_', 'aa', 'b'];
    await reader.service.importRecords([
      contentType(PRESS, 'tie', [{ handle: 'note', type: 'text' }]),
      ...ids.map((id, index) =>
        content({
          id,
          content_type: 'tie',
          slug: `tie-${index}`,
          name: 'Tie',
          uri: 'tie',
          fields: { note: { text: 'same' } },
        }),
      ),
    ]);
    for (const key of ['published_at', 'created_at', 'updated_at', 'name', 'uri', 'note.text']) {
      for (const direction of ['asc', 'desc']) {
        expect(await order(`content_type=tie&sort=${key}:${direction}`), `${key} ${direction}`).toEqual(ids);
      }
    }
  });

  test('sorts by several keys in the given order, each in its own direction', async () => {
    const sorted = (...sorts: string[]) =>
      order(`content_type=pair&${sorts.map((sort) => `sort[]=${sort}`).join('&')}`);
    expect(await sorted('first.text:asc', 'second.number:desc')).toEqual([
      'p_3',
      'p_2',
      'p_6',
      'p_1',
      'p_4',
      'p_5',
      'p_8',
      'p_7',
    ]);
    expect(await sorted('first.text:desc', 'second.number:asc')).toEqual([
      'p_1',
      'p_4',
      'p_2',
      'p_3',
      'p_6',
      'p_8',
      'p_5',
      'p_7',
    ]);
    expect(await sorted('second.number:desc', 'first.text:desc')).toEqual([
      'p_3',
      'p_5',
      'p_1',
      'p_2',
      'p_8',
      'p_4',
      'p_6',
      'p_7',
    ]);
    expect(await sorted('created_at:asc', 'second.number:asc', 'slug:desc')).toEqual([
      'p_8',
      'p_2',
      'p_1',
      'p_5',
      'p_3',
      'p_7',
      'p_6',
      'p_4',
    ]);
  });

  test('puts content without a value last in both directions, for secondary keys too', async () => {
    for (const direction of ['asc', 'desc']) {
      const ids = await order(`content_type=book&sort=pages.number:${direction}`);
      const isLast = ids.indexOf('b_4') > Math.max(...['b_1', 'b_2', 'b_3'].map((id) => ids.indexOf(id)));
      expect(isLast, direction).toBe(true);
      const behind = await order(`content_type=pair&sort=created_at:asc&sort=second.number:${direction}`);
      expect(behind.slice(-3)).toEqual(['p_4', 'p_6', 'p_7']);
    }
  });

  test('sorts by a field that was added later, and puts content without a value last', async () => {
    const fields = [{ handle: 'old', type: 'text' }];
    await reader.service.importRecords([
      contentType(PRESS, 'grown', fields),
      content({ id: 'g_1', content_type: 'grown', fields: { old: { text: 'x' } } }),
      content({ id: 'g_2', content_type: 'grown' }),
    ]);
    await reader.service.importRecords([
      contentType(PRESS, 'grown', [...fields, { handle: 'fresh', type: 'text' }, { handle: 'count', type: 'number' }]),
      content({ id: 'g_0', content_type: 'grown', fields: { fresh: { text: 'b' }, count: { number: 1 } } }),
      content({ id: 'g_3', content_type: 'grown', fields: { fresh: { text: 'a' }, count: { number: 2 } } }),
      content({ id: 'g_4', content_type: 'grown' }),
    ]);
    expect(await order('content_type=grown&sort=fresh.text:asc')).toEqual(['g_3', 'g_0', 'g_1', 'g_2', 'g_4']);
    expect(await order('content_type=grown&sort=fresh.text:desc')).toEqual(['g_0', 'g_3', 'g_1', 'g_2', 'g_4']);
    expect(await order('content_type=grown&sort=count.number:desc')).toEqual(['g_3', 'g_0', 'g_1', 'g_2', 'g_4']);
    expect(await order('content_type=grown&sort=old.text:asc&sort=count.number:desc')).toEqual([
      'g_1',
      'g_3',
      'g_0',
      'g_2',
      'g_4',
    ]);
  });

  test('sorts a filtered list and its fallbacks from another language together', async () => {
    await reader.service.importRecords([
      content({ id: 'c_5_fr', content_type: 'shelf', language: 'fr', translation_of: 'c_5', slug: 'f', name: 'bete' }),
      content({ id: 'c_6_fr', content_type: 'shelf', language: 'fr', slug: 'g', name: 'Dame' }),
    ]);
    const headers = { 'x-service-language': 'fr' };
    const query = 'content_type=shelf&sort=name:asc&fallback_default_language=true';
    expect(idsOf(await reader.list(query, { headers }))).toEqual(['c_2', 'c_5_fr', 'c_4', 'c_6_fr', 'c_1', 'c_3']);
  });
});
