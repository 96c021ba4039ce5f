// Published content always has a value in every required field, no matter how the field became required or how the content was published.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { type Manager, startManager } from './manager.ts';
import { articleRecord, boxOf, importTypeSite, readType, SITE, toOptions } from './type-site.ts';

const types = `/sites/${SITE}/types`;
const contents = `/sites/${SITE}/content`;
let manager: Manager;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    await importTypeSite(manager);
  });

  afterAll(() => manager.close());

  async function isRequired(type: string, handle: string): Promise<boolean | undefined> {
    return (await readType(manager, type)).fields.find((field) => field.handle === handle)?.required;
  }

  async function saveField(id: string, handle: string, value: unknown): Promise<void> {
    const { version, fields } = await manager.expectOk<{ version: number; fields: object }>('GET', `${contents}/${id}`);
    await manager.expectOk('PUT', `${contents}/${id}`, { version, fields: { ...fields, [handle]: value } });
  }

  describe('a field', () => {
    test('cannot become required while published content has no value for it, but can if only drafts have none', async () => {
      const answer = await manager.call('PATCH', `${types}/article/fields/mood`, { body: { required: true } });
      expect(answer).toMatchObject({
        status: 409,
        body: {
          message: expect.stringContaining('Field mood cannot be required: 1 published content object has no value'),
          errors: [
            {
              path: 'required',
              message: 'cannot be turned on; 1 published content object has no value in this field: Article c_1 (c_1)',
              code: 'values_missing',
              values: { total: 1, id: 'c_1', name: 'Article c_1' },
            },
          ],
          details: { contents_without_value: 1, contents: [{ id: 'c_1', name: 'Article c_1' }] },
        },
      });
      expect(await isRequired('article', 'mood')).toBe(false);
      await saveField('c_1', 'mood', { selected_option: 'loud' });
      expect(await manager.call('PATCH', `${types}/article/fields/mood`, { body: { required: true } })).toMatchObject({
        status: 409,
      });
      await manager.expectOk('POST', `${contents}/c_1/publish`);
      await manager.expectOk('PATCH', `${types}/article/fields/mood`, { required: true });
      expect(await isRequired('article', 'mood')).toBe(true);
      // c_3 is a draft without a value in the field.
      expect(await manager.call('POST', `${contents}/c_3/publish`)).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'fields.mood', message: 'is required and has no value' }] },
      });
    });

    test('cannot become required in a block type while a block in published content has no value for it', async () => {
      const lacking = articleRecord('c_block', {
        title: { text: 'x' },
        mood: { selected_option: 'calm' },
        body: { blocks: [boxOf([boxOf([{ content_type: 'quote', fields: { words: { text: ' \n' } } }])])] },
      });
      await manager.service.importRecords([lacking]);
      expect(await manager.call('PATCH', `${types}/quote/fields/words`, { body: { required: true } })).toMatchObject({
        status: 409,
        body: { details: { contents_without_value: 1, contents: [{ id: 'c_block' }] } },
      });
      expect(
        await manager.call('POST', `${types}/box/fields`, { body: { handle: 'tag', type: 'text', required: true } }),
      ).toMatchObject({ status: 409, body: { details: { contents_without_value: 2 } } });
      await manager.expectOk('POST', `${contents}/c_block/unpublish`);
      await manager.expectOk('PATCH', `${types}/quote/fields/words`, { required: true });
      expect(await manager.call('POST', `${contents}/c_block/publish`)).toMatchObject({
        status: 422,
        body: {
          errors: [{ path: 'fields.body.blocks[0].fields.inner.blocks[0].fields.inner.blocks[0].fields.words' }],
        },
      });
    });

    test('cannot become required while content without a value for it is being published: one of the calls is rejected', async () => {
      await manager.expectOk('POST', types, {
        handle: 'race',
        name: 'Race',
        fields: [{ handle: 'lap', type: 'number' }],
      });
      for (let turn = 0; turn < 8; turn += 1) {
        const { id } = await manager.expectOk<{ id: string }>('POST', contents, {
          content_type: 'race',
          name: `R${turn}`,
        });
        const [required, published] = await Promise.all([
          manager.call('PATCH', `${types}/race/fields/lap`, { body: { required: true } }),
          manager.call('POST', `${contents}/${id}/publish`),
        ]);
        expect([`${required.status} ${published.status}`]).toEqual([expect.stringMatching(/^(200 422|409 200)$/)]);
        if (published.status === 200) await manager.expectOk('POST', `${contents}/${id}/unpublish`);
        await manager.expectOk('PATCH', `${types}/race/fields/lap`, { required: false });
      }
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('cannot become required by being made visible while published content has no value for it', async () => {
      const field = { handle: 'note', type: 'text', required: true, hidden: true };
      await manager.expectOk('POST', `${types}/article/fields`, field);
      expect(await manager.call('PATCH', `${types}/article/fields/note`, { body: { hidden: false } })).toMatchObject({
        status: 409,
        body: {
          errors: [{ path: 'hidden', message: expect.stringMatching(/^cannot be turned off while .* required; 2 /) }],
        },
      });
      await manager.expectOk('PATCH', `${types}/article/fields/note`, { hidden: false, required: false });
    });

    test('cannot be required on creation if the type has published content, and the error lists some of that content', async () => {
      const records = Array.from({ length: 7 }, (_, index) => ({
        ...articleRecord(`c_plain_${index}`, {}),
        slug: `plain-${index}`,
        content_type: 'plain',
      }));
      const field = { handle: 'sum', type: 'number', required: true };
      await manager.service.importRecords(records);
      const refused = await manager.call('POST', `${types}/plain/fields`, { body: field });
      expect(refused).toMatchObject({
        status: 409,
        body: {
          errors: [
            { path: 'required', message: expect.stringMatching(/: Article c_plain_0 \(c_plain_0\), .* and 2 more$/) },
          ],
          details: { contents_without_value: 7 },
        },
      });
      expect((refused.body as { details: { contents: object[] } }).details.contents).toHaveLength(5);
      expect((await readType(manager, 'plain')).fields).toEqual([]);
      for (const { id } of records) await manager.expectOk('POST', `${contents}/${id}/archive`);
      await manager.expectOk('POST', `${types}/plain/fields`, field);
    });
  });

  describe('a bundle', () => {
    const typeOf = (fields: readonly object[], objectType = 'page', handle = 'brought') => ({
      kind: 'content_type',
      id: `t_${handle}`,
      site: SITE,
      handle,
      name: handle,
      object_type: objectType,
      fields,
    });
    const content = (id: string, fields: object) => ({ ...articleRecord(id, fields), content_type: 'brought' });
    const optional = { handle: 'label', type: 'text' };
    const required = { ...optional, required: true };

    beforeAll(() =>
      manager.service.importRecords([
        typeOf([optional, { handle: 'parts', type: 'blocks' }]),
        typeOf([optional], 'block', 'part'),
        content('c_b1', { parts: { blocks: [{ content_type: 'part' }] } }),
        { ...content('c_b2', {}), status: 'draft' },
      ]),
    );

    test('cannot make a field required while published content in the database has no value for it', async () => {
      await expect(manager.service.importRecords([typeOf([required])])).rejects.toThrow(
        'content_type t_brought, field label: cannot be required: published content has no value in it (c_b1)',
      );
      const added = { handle: 'extra', type: 'date', required: true };
      await expect(manager.service.importRecords([typeOf([optional, added])])).rejects.toThrow('field extra: cannot');
      await expect(manager.service.importRecords([typeOf([required], 'block', 'part')])).rejects.toThrow('(c_b1)');
      expect(await isRequired('brought', 'label')).toBe(false);
      await manager.service.importRecords([typeOf([{ ...required, hidden: true }])]);
      await expect(manager.service.importRecords([typeOf([required])])).rejects.toThrow('field label: cannot');
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('cannot make a field required while published content in the bundle has no value for it, unless the bundle adds one', async () => {
      await expect(
        manager.service.importRecords([
          typeOf([required]),
          content('c_b1', {}),
          content('c_b3', { label: { text: 'x' } }),
        ]),
      ).rejects.toThrow('content c_b1, field label: is required and has no value');
      await manager.service.importRecords([typeOf([required]), content('c_b1', { label: { text: 'now' } })]);
      expect(await isRequired('brought', 'label')).toBe(true);
    });
  });

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  describe('a required field', () => {
    const KINDS: readonly (readonly [handle: string, settings: object, empty: unknown, filled: unknown])[] = [
      ['text', {}, { text: ' \n\t' }, { text: 'x' }],
      ['number', {}, { number: null }, { number: 0 }],
      ['boolean', {}, null, { is_on: false }],
      ['date', {}, { date: null }, { date: '2026-01-01T00:00:00Z' }],
      ['option', { options: toOptions('a') }, null, { selected_option: 'a' }],
      ['list', {}, { list: [] }, { list: [''] }],
      ['assets', {}, { assets: [] }, undefined],
      ['content_links', {}, { content_links: [] }, { content_links: ['c_1'] }],
      ['blocks', {}, { blocks: [] }, { blocks: [{ content_type: 'box' }] }],
    ];

    beforeAll(async () => {
      const fields = KINDS.map(([type, settings]) => ({ handle: `of_${type}`, type, required: true, ...settings }));
      await manager.expectOk('POST', types, { handle: 'strict', name: 'Strict', fields });
    });

    test('must have a value, whatever its type, before content is published or scheduled', async () => {
      const empty = Object.fromEntries(KINDS.map(([type, , value]) => [`of_${type}`, value]));
      const body = { id: 'c_strict', content_type: 'strict', name: 'Strict', fields: empty };
      await manager.expectOk('POST', contents, body);
      const errors = KINDS.map(([type]) => ({ path: `fields.of_${type}`, message: 'is required and has no value' }));
      const schedule = { publish_at: '2999-01-01T00:00:00Z' };
      for (const [action, sent] of [['publish'], ['schedule', schedule]] as const) {
        const answer = await manager.call('POST', `${contents}/c_strict/${action}`, { body: sent });
        expect(answer).toMatchObject({ status: 422, body: { errors } });
      }
      const filled = KINDS.flatMap(([type, , , value]) => (value === undefined ? [] : [[`of_${type}`, value]]));
      await manager.expectOk('PUT', `${contents}/c_strict`, { version: 1, fields: Object.fromEntries(filled) });
      expect(await manager.call('POST', `${contents}/c_strict/publish`)).toMatchObject({
        body: { errors: [{ path: 'fields.of_assets' }] },
      });
    });

    test('must have a value in imported published content, but not in a draft', async () => {
      const strict = (status: string) => ({ ...articleRecord('c_in', {}), content_type: 'strict', status });
      await expect(manager.service.importRecords([strict('published')])).rejects.toThrow(
        /content c_in, field of_text: is required and has no value\n.*content c_in, field of_number: is required/,
      );
      await manager.service.importRecords([strict('draft')]);
    });
  });
});
