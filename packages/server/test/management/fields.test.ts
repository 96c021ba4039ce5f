import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Manager, startManager } from './manager.ts';
import {
  articleRecord,
  boxOf,
  importTypeSite,
  listHandles,
  quoteOf,
  readFields,
  readSavedText,
  SITE,
  toOptions,
} from './type-site.ts';

describe('the fields of a content type', () => {
  let manager: Manager;

  beforeEach(async () => {
    manager = await startManager();
    await importTypeSite(manager);
    return () => manager.close();
  });

  const article = `/sites/${SITE}/types/article`;

  function patch(handle: string, body: object): Promise<unknown> {
    return manager.expectOk('PATCH', `${article}/fields/${handle}`, body);
  }

  async function listIds(query: string): Promise<readonly string[] | number> {
    const { status, body } = await manager.read(SITE, `?${query}`);
    if (status !== 200) return status;
    const answer = body as { data?: { id: string }[]; id?: string };
    return answer.data?.map(({ id }) => id) ?? [answer.id ?? ''];
  }

  test('appear in all content, without a value, on the first request after they are added', async () => {
    const field = { handle: 'summary', type: 'text', help_text: 'Two lines.', max_length: 200 };
    const added = await manager.call('POST', `${article}/fields`, { body: field });
    expect(added).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^f_/), ...field, name: 'Summary' } });
    expect((await readFields(manager, 'c_1')).summary).toEqual({
      id: (added.body as { id: string }).id,
      name: 'Summary',
      handle: 'summary',
      help_text: 'Two lines.',
      type: 'text',
      text: null,
    });
    expect(await listIds('sort=summary.text')).toEqual(['c_1', 'c_2']);
  });

  test('are rejected if the handle or id is taken, or if a setting belongs to a different field type', async () => {
    const taken = await manager.call('POST', `${article}/fields`, { body: { handle: 'rank', type: 'text' } });
    expect(taken).toMatchObject({ status: 409, body: { errors: [{ path: 'handle' }] } });
    for (const [body, path] of [
      [{ handle: 'x', type: 'text', max: 3 }, 'max'],
      [{ handle: 'x', type: 'blocks', allowed_types: ['article'] }, 'allowed_types[0]'],
      [{ handle: 'x-y', type: 'text' }, 'handle'],
      [{ handle: 'x' }, 'type'],
      [[], ''],
    ] as const) {
      const refused = await manager.call('POST', `${article}/fields`, { body });
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    }
    expect(await listHandles(manager, 'article')).toHaveLength(6);
  });

  test('appear with new names, help texts and option labels on the next request', async () => {
    await patch('title', { name: 'Headline', help_text: 'Short.' });
    await patch('mood', { options: [{ label: 'Quiet', value: 'calm' }, ...toOptions('loud')] });
    expect(await readFields(manager, 'c_2')).toMatchObject({
      title: { name: 'Headline', help_text: 'Short.', text: 'Second' },
      mood: { selected_option: { label: 'Quiet', value: 'calm' } },
    });
    await patch('title', { help_text: null });
    expect((await readFields(manager, 'c_2')).title).toMatchObject({ name: 'Headline', help_text: null });
  });

  test('cannot change their handle or type', async () => {
    const body = { handle: 'headline', type: 'number' };
    const refused = await manager.call('PATCH', `${article}/fields/title`, { body });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'handle' }, { path: 'type' }] } });
    await patch('title', { handle: 'title', type: 'text', name: 'Same' });
  });

  test('accept only settings that fit their type and each other', async () => {
    await patch('title', { min_length: 5 });
    for (const [body, path] of [
      [{ max_length: 4 }, 'min_length'],
      [{ max: 4 }, 'max'],
      [{ required: 'yes' }, 'required'],
      [{ name: ' ' }, 'name'],
      [{ constructor: 1 }, 'constructor'],
    ] as const) {
      const refused = await manager.call('PATCH', `${article}/fields/title`, { body });
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    }
    await patch('title', { min_length: null, max_length: 4 });
    // Published values outside the new limit stay readable.
    expect((await readFields(manager, 'c_1')).title).toMatchObject({ text: 'First' });
  });

  test('appear in a new order on the next request', async () => {
    const handles = await listHandles(manager, 'article');
    const order = handles.toReversed();
    await manager.expectOk('PUT', `${article}/field-order`, { fields: order });
    expect(Object.keys(await readFields(manager, 'c_2'))).toEqual(order);
    expect(await readFields(manager, 'c_2')).toMatchObject({ title: { text: 'Second' }, rank: { number: 2 } });
    for (const [fields, paths] of [
      [
        ['title', 'title', 'nothing'],
        ['fields[1]', 'fields[2]', 'fields'],
      ],
      [[], ['fields']],
      [[7], ['fields[0]']],
      ['title', ['fields']],
    ] as const) {
      const refused = await manager.call('PUT', `${article}/field-order`, { body: { fields } });
      expect(refused).toMatchObject({ status: 422, body: { errors: paths.map((path) => ({ path })) } });
    }
  });

  test('are invisible to readers while hidden, and reappear with their values', async () => {
    const before = await manager.read(SITE, '/c_2');
    for (const handle of ['title', 'rank', 'is_pinned', 'mood', 'related']) await patch(handle, { hidden: true });
    for (const isPreview of [false, true]) {
      expect(Object.keys(await readFields(manager, 'c_2', isPreview))).toEqual(['body']);
    }
    for (const query of [
      'sort=title.text',
      'sort=rank.number',
      'fields[text][title]=Second',
      'fields[number][rank]=2',
      'fields[is_on][is_pinned]=true',
      'fields[selected_option][mood]=calm',
      'fields[content_links][related][id]=c_1',
    ]) {
      expect([query, await listIds(query)]).toEqual([query, 422]);
      const asked = await manager.read(SITE, `?${query}`);
      const unknown = await manager.read(SITE, `?${query.replace(/title|rank|is_pinned|mood|related/, 'nobody')}`);
      expect((asked.body as { message: string }).message).toBe(
        (unknown.body as { message: string }).message.replace(
          'nobody',
          /title|rank|is_pinned|mood|related/.exec(query)?.[0] ?? '',
        ),
      );
    }
    // Content that is imported while the fields are hidden keeps its values and its positions in lists.
    await manager.service.importRecords([articleRecord('c_4', { title: { text: 'Zero' }, rank: { number: 0 } })]);
    for (const handle of ['title', 'rank', 'is_pinned', 'mood', 'related']) await patch(handle, { hidden: false });
    expect((await manager.read(SITE, '/c_2')).body).toEqual(before.body);
    expect(await listIds('sort=rank.number')).toEqual(['c_4', 'c_1', 'c_2']);
    expect(await listIds('fields[text][title]=Zero')).toEqual(['c_4']);
  });

  test('are hidden inside blocks and linked content too', async () => {
    await manager.expectOk('PATCH', `/sites/${SITE}/types/quote/fields/words`, { hidden: true });
    await patch('rank', { hidden: true });
    const text = JSON.stringify(await readFields(manager, 'c_2'));
    expect(text).not.toContain('Inside');
    expect(text).toContain('dry');
    expect(text).not.toContain('"rank"');
    expect(text).toContain('"content_link":{"id":"c_1"');
  });
});

describe('deleting a field', () => {
  let manager: Manager;

  beforeEach(async () => {
    manager = await startManager();
    await importTypeSite(manager);
    return () => manager.close();
  });

  const article = `/sites/${SITE}/types/article`;

  test('first reports how much content, published or not, has a value in the field', async () => {
    for (const query of ['', '?confirm=', '?confirm=title', '?confirm=Rank']) {
      expect(await manager.call('DELETE', `${article}/fields/rank${query}`)).toMatchObject({
        status: 409,
        body: {
          message: expect.stringContaining('3 content objects'),
          details: { contents_with_value: 3, confirm: 'rank' },
        },
      });
    }
    expect(await manager.call('DELETE', `/sites/${SITE}/types/quote/fields/words`)).toMatchObject({
      status: 409,
      body: { details: { contents_with_value: 1 } },
    });
    expect(await listHandles(manager, 'article')).toContain('rank');
  });

  test('does not warn when nothing would be lost', async () => {
    await manager.expectOk('POST', `${article}/fields`, { handle: 'spare', type: 'text' });
    expect(await manager.call('DELETE', `${article}/fields/spare`)).toMatchObject({
      status: 409,
      body: {
        message:
          'No content has a value in the field spare, but older versions may. To continue, add confirm=spare to the query.',
        details: { contents_with_value: 0, confirm: 'spare' },
      },
    });
  });

  test('removes the field from all responses, from list parameters and from every saved version', async () => {
    expect(await manager.call('DELETE', `${article}/fields/rank?confirm=rank`)).toMatchObject({ status: 204 });
    for (const isPreview of [false, true]) {
      expect(await readFields(manager, 'c_2', isPreview)).not.toHaveProperty('rank');
    }
    expect(await manager.read(SITE, '?sort=rank.number')).toMatchObject({ status: 422 });
    expect(await manager.read(SITE, '?fields[number][rank]=2')).toMatchObject({ status: 422 });
    expect(await readSavedText(manager, 'article')).not.toContain('rank');
    // The other fields are unchanged.
    expect(await readFields(manager, 'c_2')).toMatchObject({
      title: { text: 'Second' },
      mood: { selected_option: { value: 'calm' } },
      body: { blocks: [{ fields: { inner: { blocks: [{ fields: { words: { text: 'Inside' } } }] } } }] },
    });
    expect(await manager.call('DELETE', `${article}/fields/rank?confirm=rank`)).toMatchObject({ status: 404 });
  });

  test('leaves no values that could appear in a new field with the same handle', async () => {
    for (const handle of ['rank', 'body', 'related']) {
      await manager.expectOk('DELETE', `${article}/fields/${handle}?confirm=${handle}`);
    }
    for (const field of [
      { handle: 'rank', type: 'text' },
      { handle: 'body', type: 'number' },
      { handle: 'related', type: 'content_links' },
    ]) {
      await manager.expectOk('POST', `${article}/fields`, field);
    }
    expect(await readFields(manager, 'c_2')).toMatchObject({ rank: { text: null }, body: { number: null } });
    // Publishing uses values that were saved before the field was deleted.
    for (const id of ['c_1', 'c_2', 'c_3']) {
      await manager.service.publish(SITE, id);
      expect(await readFields(manager, id)).toMatchObject({
        rank: { text: null },
        body: { number: null },
        related: { content_links: [] },
      });
    }
    expect(await manager.read(SITE, '?fields[content_links][related][id]=c_1')).toMatchObject({ body: { data: [] } });
    expect(await manager.read(SITE, '?sort=rank.text')).toMatchObject({ body: { data: [{}, {}, {}] } });
  });

  test('leaves no values in lists, even if the next field gets the same row number', async () => {
    const field = { handle: 'extra', type: 'number' };
    const filtered = '?fields[number][extra]=5';
    await manager.expectOk('POST', `${article}/fields`, field);
    await manager.service.importRecords([articleRecord('c_4', { extra: { number: 5 } })]);
    expect(await manager.read(SITE, filtered)).toMatchObject({ body: { id: 'c_4' } });
    await manager.expectOk('DELETE', `${article}/fields/extra?confirm=extra`);
    await manager.expectOk('POST', `${article}/fields`, field);
    expect(await manager.read(SITE, filtered)).toMatchObject({ body: { data: [] } });
    expect(await readFields(manager, 'c_4')).toMatchObject({ extra: { number: null } });
  });

  test('leaves no values in blocks that could appear in a new field with the same handle', async () => {
    const quote = `/sites/${SITE}/types/quote`;
    await manager.expectOk('DELETE', `${quote}/fields/words?confirm=words`);
    await manager.expectOk('POST', `${quote}/fields`, { handle: 'words', type: 'number' });
    for (const isRepublished of [false, true]) {
      if (isRepublished) await manager.service.publish(SITE, 'c_2');
      expect(await readFields(manager, 'c_2')).toMatchObject({
        body: {
          blocks: [
            { fields: { inner: { blocks: [{ fields: { words: { number: null }, tone: { selected_option: {} } } }] } } },
          ],
        },
      });
    }
  });

  test('does not prevent another import of the same bundle from restoring the values', async () => {
    await manager.expectOk('DELETE', `${article}/fields/rank?confirm=rank`);
    await importTypeSite(manager);
    expect(await readFields(manager, 'c_2')).toMatchObject({ rank: { number: 2 } });
  });

  test('closes the gap in the field order, so new fields are added at the end', async () => {
    await manager.expectOk('DELETE', `${article}/fields/title?confirm=title`);
    await manager.expectOk('DELETE', `${article}/fields/rank?confirm=rank`);
    await manager.expectOk('POST', `${article}/fields`, { handle: 'first_new', type: 'text' });
    await manager.expectOk('POST', `${article}/fields`, { handle: 'second_new', type: 'text' });
    expect((await listHandles(manager, 'article')).slice(-3)).toEqual(['body', 'first_new', 'second_new']);
  });

  test('removes the links stored in the field', async () => {
    const links = `/sites/${SITE}/content/c_1/links`;
    expect(await manager.call('GET', links)).toMatchObject({ body: { total: 1 } });
    await manager.expectOk('DELETE', `${article}/fields/related?confirm=related`);
    expect(await manager.call('GET', links)).toMatchObject({ body: { total: 0 } });
  });

  test('is restricted to owners of the account', async () => {
    const path = `${article}/fields/rank?confirm=rank`;
    expect(await manager.call('DELETE', path, { token: manager.editor })).toMatchObject({ status: 403 });
    expect(await manager.call('DELETE', path, { token: manager.stranger })).toMatchObject({ status: 404 });
    expect(await listHandles(manager, 'article')).toContain('rank');
  });
});

describe('removing an option', () => {
  let manager: Manager;

  beforeAll(async () => {
    manager = await startManager();
    await importTypeSite(manager);
  });

  afterAll(() => manager.close());

  test('requires a confirmation if the option is selected in content, and keeps that content readable', async () => {
    const path = `/sites/${SITE}/types/article/fields/mood`;
    await manager.expectOk('PATCH', path, { options: toOptions('calm', 'loud', 'new') });
    await manager.expectOk('PATCH', path, { options: toOptions('new', 'calm') });
    const body = { options: toOptions('new') };
    for (const query of ['', '?confirm=calm']) {
      expect(await manager.call('PATCH', `${path}${query}`, { body })).toMatchObject({
        status: 409,
        body: { details: { contents_with_value: 1, options: [{ value: 'calm', contents: 1 }], confirm: 'mood' } },
      });
    }
    expect(await manager.call('PATCH', `${path}?confirm=mood`, { body })).toMatchObject({ status: 200 });
    expect(await readFields(manager, 'c_2')).toMatchObject({
      mood: { selected_option: { label: 'calm', value: 'calm' } },
    });
  });

  test('counts uses in nested blocks', async () => {
    const path = `/sites/${SITE}/types/quote/fields/tone`;
    const body = { options: toOptions('warm') };
    expect(await manager.call('PATCH', path, { body })).toMatchObject({ status: 409 });
    await manager.service.importRecords([
      articleRecord('c_2', { body: { blocks: [boxOf([quoteOf('Now', 'warm')])] } }),
    ]);
    expect(await manager.call('PATCH', path, { body })).toMatchObject({ status: 200 });
  });
});
