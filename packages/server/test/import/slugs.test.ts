import { describe, expect, test } from 'vitest';
import { postRecord, toLines, typeRecord } from '../support/small-site.ts';
import { openImportDatabase } from './import-database.ts';

describe('slugs', () => {
  test.each(['first', 'last'])('the record that takes over a slug can come %s in the bundle', async (place) => {
    await using database = await openImportDatabase();
    await database.importRecords(postRecord('h1', { slug: 'hello' }));
    const records = [postRecord('h2', { slug: 'hello' }), postRecord('h1', { slug: 'hello-old' })];
    await database.importRecords(...(place === 'first' ? records : records.toReversed()));
    expect(database.column('slug')).toEqual({ h1: 'hello-old', h2: 'hello' });
  });

  test('two records can swap slugs, and importing the same bundle again changes nothing', async () => {
    await using database = await openImportDatabase();
    await database.importRecords(postRecord('h1', { slug: 'one' }), postRecord('h2', { slug: 'two' }));
    const exchange = [postRecord('h1', { slug: 'two' }), postRecord('h2', { slug: 'one' })];
    expect(await database.importRecords(...exchange)).toBe(2);
    expect(database.column('slug')).toEqual({ h1: 'two', h2: 'one' });
    expect(await database.importRecords(...exchange)).toBe(0);
  });

  test('an unpublished version can give up its slug to another record, just like a published one', async () => {
    await using database = await openImportDatabase();
    await database.importRecords(postRecord('h1', { slug: 'one', draft: { slug: 'next' } }));
    await database.importRecords(postRecord('h2', { slug: 'next' }), postRecord('h1', { slug: 'one' }));
    expect(database.column('slug')).toEqual({ h1: 'one', h2: 'next' });
  });

  test('content that the bundle does not mention or change keeps its slug', async () => {
    await using database = await openImportDatabase();
    const owner = postRecord('h1', { slug: 'hello' });
    await database.importRecords(owner);
    const claim = postRecord('h2', { slug: 'hello' });
    expect(await database.refuse(claim, postRecord('h3'))).toBe(
      '1: content h2, field slug: hello is taken by h1 (same type and language)',
    );
    expect(await database.refuse(claim, owner)).toBe(
      '2: content h1, field slug: hello is taken by h2 (same type and language)',
    );
  });
});

describe('content with the same URL as another page', () => {
  const person = { ...typeRecord(), id: 't_person', handle: 'person', fields: [] };
  const label = { ...typeRecord(), id: 't_label', handle: 'label', object_type: 'entry', fields: [] };
  const at = (id: string, type: string, uri: string, members = {}) =>
    postRecord(id, { content_type: type, uri, name: `Name of ${id}`, fields: {}, ...members });

  test('is imported with a warning that names both pages', async () => {
    await using database = await openImportDatabase();
    await database.importRecords(person, label, at('c_old', 'person', 'old'));
    const { warnings } = await database.importAll(
      toLines([
        at('c_1', 'person', 'same'),
        at('c_2', 'post', 'same'),
        at('c_3', 'post', 'Same'),
        at('c_4', 'label', 'same'),
        at('c_5', 'person', 'same', { language: 'fr' }),
        at('c_6', 'person', 'same', { status: 'draft', slug: 'six' }),
        at('c_7', 'post', 'old'),
      ]),
    );
    expect(warnings.listed.map(({ line, record, message }) => [line, record?.id, message])).toEqual([
      [2, 'c_2', '“Name of c_2” has the same URL as “Name of c_1” (c_1): /same'],
      [7, 'c_7', '“Name of c_7” has the same URL as “Name of c_old” (c_old): /old'],
    ]);
    expect(warnings.count).toBe(2);
  });

  test('is counted in full, but only the first hundred objects are listed', async () => {
    await using database = await openImportDatabase();
    // There are more objects than fit in one read batch. Their IDs are not in line order, and some of the objects have a different URL with
    // the same key.
    const records = Array.from({ length: 2500 }, (_, index) =>
      at(`c_${9000 - index}`, 'post', index % 10 === 0 ? 'Same' : 'same'),
    );
    const { warnings, changed } = await database.importAll(toLines(records));
    expect([warnings.count, changed]).toEqual([2498, 2500]);
    // The first two lines have different URLs.
    expect(warnings.listed.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, index) => index + 3));
  });
});
