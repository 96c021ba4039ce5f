import { describe, expect, test } from 'vitest';
import { postRecord } from '../support/small-site.ts';
import { openImportDatabase } from './import-database.ts';

describe('slugs', () => {
  test.each(['in this order', 'in the other order'])('one record hands its slug over to another, %s', async (order) => {
    await using database = await openImportDatabase();
    await database.importRecords(postRecord('h1', { slug: 'hello' }));
    const records = [postRecord('h2', { slug: 'hello' }), postRecord('h1', { slug: 'hello-old' })];
    await database.importRecords(...(order === 'in this order' ? records : records.toReversed()));
    expect(database.column('slug')).toEqual({ h1: 'hello-old', h2: 'hello' });
  });

  test('two records exchange their slugs, and the same bundle again changes nothing', async () => {
    await using database = await openImportDatabase();
    await database.importRecords(postRecord('h1', { slug: 'one' }), postRecord('h2', { slug: 'two' }));
    const exchange = [postRecord('h1', { slug: 'two' }), postRecord('h2', { slug: 'one' })];
    expect(await database.importRecords(...exchange)).toBe(2);
    expect(database.column('slug')).toEqual({ h1: 'two', h2: 'one' });
    expect(await database.importRecords(...exchange)).toBe(0);
  });

  test('the slug of an unpublished version is handed over like a published one', async () => {
    await using database = await openImportDatabase();
    await database.importRecords(postRecord('h1', { slug: 'one', draft: { slug: 'next' } }));
    await database.importRecords(postRecord('h2', { slug: 'next' }), postRecord('h1', { slug: 'one' }));
    expect(database.column('slug')).toEqual({ h1: 'one', h2: 'next' });
  });

  test('a slug stays taken by content that the bundle does not mention, or does not change', async () => {
    await using database = await openImportDatabase();
    const owner = postRecord('h1', { slug: 'hello' });
    await database.importRecords(owner);
    const claim = postRecord('h2', { slug: 'hello' });
    expect(await database.refuse(claim, postRecord('h3'))).toBe(
      '1: content h2, field slug: hello is taken by h1, of the same type and language',
    );
    expect(await database.refuse(claim, owner)).toBe(
      '2: content h1, field slug: hello is taken by h2, of the same type and language',
    );
  });
});
