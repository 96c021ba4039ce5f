import { describe, expect, test } from 'vitest';
import { postRecord, toLines, typeRecord } from '../support/small-site.ts';
import { openImportDatabase } from './import-database.ts';

const field = (id: string, handle: string) => ({ id, handle, type: 'text' });
const type = (id: string, members: object) => ({ ...typeRecord(), id, handle: id, fields: [], ...members });

describe('the records of a bundle', () => {
  test('a field ID that belongs to another content type on the site is rejected with its line number', async () => {
    await using database = await openImportDatabase();
    const complaint = '2: content_type second, field text: the id f_1 belongs to the field title of first';
    const first = type('first', { fields: [field('f_1', 'title')] });
    const second = type('second', { fields: [field('f_1', 'text')] });
    expect(await database.refuse(first, second)).toBe(complaint);
    await database.importRecords(first);
    expect(await database.refuse(type('other', {}), second)).toBe(complaint);
  });

  test('a field ID that belongs to another field of the same type is rejected with its line number', async () => {
    await using database = await openImportDatabase();
    await database.importRecords(type('first', { fields: [field('f_1', 'title')] }));
    expect(await database.refuse(type('first', { fields: [field('f_1', 'headline')] }))).toBe(
      '1: content_type first, field headline: the id f_1 belongs to the field title of first',
    );
  });

  test('content is recognised however its kind is escaped in JSON, and wherever the kind appears in the record', async () => {
    await using database = await openImportDatabase();
    const { kind, ...rest } = postRecord('c_2');
    const escaped = toLines([postRecord('c_1')]).replace('"kind":"content"', String.raw`"k\u0069nd":"c\u006fntent"`);
    expect(await database.importText(escaped + toLines([{ ...rest, kind }]))).toBe(2);
    expect(database.column('slug')).toEqual({ c_1: 'c-1', c_2: 'c-2' });
  });

  test('a type with content cannot become a block type, but a type without content can', async () => {
    await using database = await openImportDatabase();
    await database.importRecords(postRecord('c_1'), type('unused', {}));
    expect(await database.refuse({ ...typeRecord(), object_type: 'block' })).toBe(
      '1: content_type t_post, field object_type: must stay page, because there is content of this type',
    );
    expect(await database.importRecords(type('unused', { object_type: 'block' }))).toBe(1);
  });

  test('a block type must remain a block type once content may contain its blocks', async () => {
    await using database = await openImportDatabase();
    const page = type('page', { fields: [{ handle: 'body', type: 'blocks' }] });
    await database.importRecords(postRecord('c_1'), type('quote', { object_type: 'block' }), page);
    expect(await database.importRecords(type('quote', {}))).toBe(1);
    await database.importRecords(type('quote', { object_type: 'block' }));
    const body = { blocks: [{ content_type: 'quote' }] };
    await database.importRecords(postRecord('c_2', { content_type: 'page', fields: { body } }));
    expect(await database.refuse(type('quote', {}))).toBe(
      '1: content_type quote, field object_type: must stay block, because existing content may contain blocks of this type',
    );
  });

  test('error messages about a draft say that they refer to the draft', async () => {
    await using database = await openImportDatabase();
    expect(await database.refuse(postRecord('c_1', { draft: { seo: { title: 3 } } }))).toMatch(
      /^1: content c_1, field draft\.seo\.title: must /,
    );
    expect(await database.refuse(postRecord('c_1', { seo: { title: 3 } }))).toMatch(
      /^1: content c_1, field seo\.title: must /,
    );
  });
});
