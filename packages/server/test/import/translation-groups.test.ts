import { describe, expect, test } from 'vitest';
import { postRecord } from '../support/small-site.ts';
import { openImportDatabase } from './import-database.ts';

const fr = (id: string, of: string | null, members: object = {}) =>
  postRecord(id, { language: 'fr', translation_of: of, ...members });
const de = (id: string, of: string | null) => postRecord(id, { language: 'de', translation_of: of });

describe('translation groups', () => {
  test('an original in the same language as its translation is rejected with its line number, in either order', async () => {
    await using database = await openImportDatabase();
    const records = [postRecord('tb', { translation_of: 'ta' }), postRecord('ta')] as const;
    expect(await database.refuse(...records)).toBe(
      '1: content tb, field translation_of: ta is in the same language, en',
    );
    expect(await database.refuse(...records.toReversed())).toBe(
      '2: content tb, field translation_of: ta is in the same language, en',
    );
  });

  test('two records with the same language in one group are rejected, even if a third record comes between them', async () => {
    await using database = await openImportDatabase();
    expect(await database.refuse(fr('tf', 'ta'), fr('tg', 'ta'), postRecord('ta'))).toBe(
      '2: content tg, field translation_of: ta: tf is its fr version',
    );
    expect(await database.refuse(postRecord('tb', { translation_of: 'tf' }), fr('tf', 'ta'), postRecord('ta'))).toBe(
      '1: content tb, field translation_of: tf: ta is its en version',
    );
  });

  test('when the first record of a group joins another group as a translation, its translations join that group too', async () => {
    await using database = await openImportDatabase();
    const unchanged = fr('g_fr', 'g');
    await database.importRecords(postRecord('g'), unchanged);
    const second = [postRecord('g', { translation_of: 'g_de' }), de('g_de', null), unchanged];
    expect(await database.importRecords(...second)).toBe(3);
    expect(database.column('translation_group')).toEqual({ g: 'g_de', g_de: 'g_de', g_fr: 'g_de' });
    expect(await database.importRecords(...second)).toBe(0);
  });

  test('translations that the bundle does not mention join the new group too, including their drafts', async () => {
    await using database = await openImportDatabase();
    await database.importRecords(postRecord('g'), fr('g_fr', 'g', { draft: { name: 'Newer' } }));
    await database.importRecords(postRecord('g', { translation_of: 'g_de' }), de('g_de', null));
    expect(database.column('translation_group')).toEqual({ g: 'g_de', g_de: 'g_de', g_fr: 'g_de' });
  });

  test('the error message names a translation that cannot join the new group', async () => {
    await using database = await openImportDatabase();
    await database.importRecords(postRecord('g'), fr('g_fr', 'g'), de('x', null), fr('x_fr', 'x'));
    expect(await database.refuse(postRecord('g', { translation_of: 'x' }))).toBe(
      '1: content g, field translation_of: x: its translation g_fr cannot move with it, because x_fr is already the fr version there',
    );
  });

  test('the first record of a group can swap places with a translation, in either order', async () => {
    await using database = await openImportDatabase();
    const before = [fr('k_fr', null), postRecord('k_en', { translation_of: 'k_fr' }), de('k_de', 'k_fr')];
    const after = [fr('k_fr', 'k_en'), postRecord('k_en')];
    await database.importRecords(...before);
    await database.importRecords(...after);
    expect(database.column('translation_group')).toEqual({ k_de: 'k_en', k_en: 'k_en', k_fr: 'k_en' });
    await database.importRecords(...before);
    expect(database.column('translation_group')).toEqual({ k_de: 'k_fr', k_en: 'k_fr', k_fr: 'k_fr' });
    await database.importRecords(...after.toReversed());
    expect(database.column('translation_group')).toEqual({ k_de: 'k_en', k_en: 'k_en', k_fr: 'k_en' });
  });

  test('two groups can swap their translations', async () => {
    await using database = await openImportDatabase();
    await database.importRecords(postRecord('a'), fr('a_fr', 'a'), postRecord('b'), fr('b_fr', 'b'));
    await database.importRecords(fr('a_fr', 'b'), fr('b_fr', 'a'));
    expect(database.column('translation_group')).toEqual({ a: 'a', a_fr: 'b', b: 'b', b_fr: 'a' });
  });

  test('a cycle is rejected, even if part of it exists only in the database', async () => {
    await using database = await openImportDatabase();
    expect(await database.refuse(fr('k_fr', 'k_en'), postRecord('k_en', { translation_of: 'k_fr' }))).toBe(
      '1: content k_fr, field translation_of: k_en is part of a circular chain of translations',
    );
    await database.importRecords(postRecord('k_en'), fr('k_fr', 'k_en'));
    expect(await database.refuse(postRecord('k_en', { translation_of: 'k_fr' }))).toBe(
      '1: content k_en, field translation_of: k_fr is part of a circular chain of translations',
    );
  });

  test('an archived record keeps its place in the group until a bundle removes it', async () => {
    await using database = await openImportDatabase();
    await database.importRecords(postRecord('g'), fr('old', 'g', { status: 'archived' }));
    expect(await database.refuse(fr('new', 'g'))).toBe(
      '1: content new, field translation_of: g: old, which is archived, is its fr version',
    );
    await database.importRecords(fr('new', 'g'), fr('old', null, { status: 'archived' }));
    expect(database.column('translation_group')).toEqual({ g: 'g', new: 'g', old: 'old' });
  });
});
