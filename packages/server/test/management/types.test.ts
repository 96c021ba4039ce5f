import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from './manager.ts';
import { articleRecord, importTypeSite, listHandles, quoteOf, readSavedText, readType, SITE } from './type-site.ts';

describe('content types', () => {
  let manager: Manager;

  beforeAll(async () => {
    manager = await startManager();
    await importTypeSite(manager);
  });

  afterAll(() => manager.close());

  const types = `/sites/${SITE}/types`;

  test('are listed with their fields for everyone in the account and nobody else', async () => {
    const listed = await manager.call('GET', types, { token: manager.editor });
    expect(listed).toMatchObject({ status: 200 });
    expect(listed.body).toMatchObject({ data: [{ handle: 'article' }, { handle: 'plain' }, {}, {}] });
    const one = await manager.call('GET', `${types}/quote`, { token: manager.editor });
    expect(one.body).toEqual({
      id: 't_quote',
      handle: 'quote',
      name: 'Quote',
      object_type: 'block',
      uri_pattern: expect.any(String),
      fields: [
        {
          id: expect.stringMatching(/^f_/),
          handle: 'words',
          name: 'Words',
          type: 'text',
          required: false,
          hidden: false,
          help_text: null,
        },
        expect.objectContaining({ handle: 'tone', options: [{ label: 'DRY', value: 'dry' }, expect.anything()] }),
      ],
    });
    expect((await manager.call('GET', `${types}/t_quote`)).body).toEqual(one.body);
    for (const [path, token] of [
      [types, manager.stranger],
      [`${types}/quote`, manager.stranger],
      [`${types}/nothing`, manager.owner],
      ['/sites/s_nothing/types', manager.owner],
    ] as const) {
      expect(await manager.call('GET', path, { token })).toMatchObject({ status: 404 });
    }
  });

  test('have a separate URL pattern for each language on a site with several languages', async () => {
    await manager.expectOk('POST', '/sites', {
      id: 's_many',
      name: 'Many',
      default_language: 'en',
      languages: ['en', 'de'],
    });
    const create = (site: string, handle: string, members = {}) =>
      manager.expectOk('POST', `/sites/${site}/types`, { handle, name: 'Page', ...members });
    expect(await create('s_many', 'page')).toMatchObject({ uri_pattern: '{language}/{slug}' });
    expect(await create('s_many', 'news', { uri_pattern: null })).toMatchObject({ uri_pattern: '{language}/{slug}' });
    expect(await create('s_many', 'other', { uri_pattern: '{slug}' })).toMatchObject({ uri_pattern: '{slug}' });
    expect(await create(SITE, 'single')).toMatchObject({ uri_pattern: '{slug}' });
    // Adding a language does not change existing types.
    await manager.expectOk('POST', `/sites/${SITE}/languages`, { language: 'fr' });
    expect(await readType(manager, 'single')).toMatchObject({ uri_pattern: '{slug}' });
    await manager.expectOk('DELETE', `/sites/${SITE}/types/single`);
    await manager.expectOk('DELETE', `/sites/${SITE}/languages/fr`);
  });

  test('can be created with fields in one call, and used by the next import', async () => {
    const created = await manager.call('POST', types, {
      body: {
        handle: 'event',
        name: 'Event',
        object_type: 'entry',
        uri_pattern: 'events/{slug}',
        fields: [
          { handle: 'starts', type: 'date', required: true },
          { handle: 'next', type: 'content_links', allowed_types: ['event', 'article'], max_items: 3 },
        ],
      },
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^t_/),
        object_type: 'entry',
        fields: [
          { handle: 'starts', name: 'Starts', required: true },
          { handle: 'next', allowed_types: ['event', 'article'], max_items: 3 },
        ],
      },
    });
    expect((await manager.call('GET', `${types}/event`)).body).toEqual(created.body);
    await manager.service.importRecords([
      { ...articleRecord('c_event', { starts: { date: '2026-05-01T00:00:00Z' } }), content_type: 'event' },
    ]);
    expect(await manager.read(SITE, '/c_event')).toMatchObject({
      body: { uri: 'events/c-event', fields: { starts: { date: '2026-05-01T00:00:00+00:00' } } },
    });
  });

  test('require only a name; invalid types are rejected with a list of all errors', async () => {
    const plain = await manager.call('POST', types, { body: { handle: 'bare', name: 'Bare' } });
    expect(plain).toMatchObject({ status: 201, body: { object_type: 'page', fields: [] } });
    const wrong = await manager.call('POST', types, {
      body: {
        handle: 'Not Snake',
        name: '',
        object_type: 'poster',
        uri_pattern: '{nothing}',
        colour: 'red',
        fields: [
          { handle: 'a', type: 'text', min: 3 },
          { handle: 'a', type: 'number', min: 3, max: 1 },
          { handle: 'b', type: 'option' },
          { handle: 'c', type: 'picture' },
        ],
      },
    });
    expect(wrong.status).toBe(422);
    const paths = (wrong.body as { errors: { path: string }[] }).errors.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['handle', 'name', 'object_type', 'uri_pattern', 'colour']));
    expect(paths).toEqual(expect.arrayContaining(['fields[0].min', 'fields[2].options', 'fields[3].type']));
    const links = { handle: 'd', type: 'content_links', allowed_types: ['quote', 'nothing'] };
    const unfit = await manager.call('POST', types, { body: { handle: 'unfit', name: 'Unfit', fields: [links] } });
    expect(unfit).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'fields[0].allowed_types[0]' }, { path: 'fields[0].allowed_types[1]' }] },
    });
    expect(await manager.call('GET', `${types}/unfit`)).toMatchObject({ status: 404 });
  });

  test('have a limited number of fields', async () => {
    const fields = Array.from({ length: 200 }, (_, index) => ({ handle: `f${index}`, type: 'text' }));
    const body = { handle: 'wide', name: 'Wide', fields: [...fields, { handle: 'last', type: 'text' }] };
    expect(await manager.call('POST', types, { body })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'fields', message: 'must have at most 200 items, has 201' }] },
    });
    await manager.expectOk('POST', types, { ...body, fields });
    const one = await manager.call('POST', `${types}/wide/fields`, { body: { handle: 'last', type: 'text' } });
    expect(one).toMatchObject({ status: 422, body: { message: expect.stringContaining('200 fields') } });
  });

  test('have a unique handle, a unique id and unique field ids', async () => {
    const [{ id = '' } = {}] = (await readType(manager, 'article')).fields;
    const body = { id: 't_plain', handle: 'article', name: 'Again', fields: [{ id, handle: 'x', type: 'text' }] };
    expect(await manager.call('POST', types, { body })).toMatchObject({
      status: 409,
      body: { errors: [{ path: 'handle' }, { path: 'id' }, { path: 'fields[0].id' }] },
    });
  });

  test('appear with a new name on the next request, but cannot change their handle or kind', async () => {
    const before = await manager.read(SITE, '/c_1');
    const renamed = await manager.call('PATCH', `${types}/article`, { body: { name: 'Story', handle: 'article' } });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Story', handle: 'article' } });
    const after = await manager.read(SITE, '/c_1');
    expect(before.body).toMatchObject({ content_type: { name: 'Article' } });
    expect(after.body).toMatchObject({ content_type: { name: 'Story', handle: 'article' } });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    const fixed = await manager.call('PATCH', `${types}/article`, { body: { handle: 'story', object_type: 'entry' } });
    expect(fixed).toMatchObject({
      status: 422,
      body: {
        errors: [
          { path: 'handle', message: 'is fixed after the first save and must stay article, got "story"' },
          { path: 'object_type' },
        ],
      },
    });
  });

  test('leave all ETags unchanged if a call changes nothing', async () => {
    const before = await manager.read(SITE, '/c_1');
    const { name, uri_pattern } = await readType(manager, 'article');
    await manager.expectOk('PATCH', `${types}/article`, { name, uri_pattern });
    await manager.expectOk('PATCH', `${types}/article`, {});
    await manager.expectOk('PATCH', `${types}/article`, { name: null, handle: null });
    await manager.expectOk('PUT', `${types}/article/field-order`, { fields: await listHandles(manager, 'article') });
    await manager.expectOk('PATCH', `${types}/article/fields/title`, { help_text: 'One line.' });
    expect((await manager.read(SITE, '/c_1')).headers.get('etag')).toBe(before.headers.get('etag'));
  });

  test('apply a new uri pattern to content that is published afterwards', async () => {
    await manager.expectOk('PATCH', `${types}/article`, { uri_pattern: 'stories/{slug}' });
    expect(await manager.read(SITE, '/c_1')).toMatchObject({ body: { uri: 'articles/c-1' } });
    const content = `/sites/${SITE}/content/c_1`;
    expect(await manager.expectOk('GET', content)).toMatchObject({
      path: 'stories/c-1',
      published_path: 'articles/c-1',
    });
    const before = await manager.read(SITE, '/c_1');
    const published = await manager.expectOk<{ published_at: string; version: number }>('POST', `${content}/publish`);
    expect(published).toMatchObject({ path: 'stories/c-1', published_path: 'stories/c-1', version: 1 });
    const after = await manager.read(SITE, '/c_1');
    expect(after).toMatchObject({ body: { uri: 'stories/c-1', published_at: published.published_at } });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    await manager.expectOk('POST', `${content}/publish`);
    expect((await manager.read(SITE, '/c_1')).headers.get('etag')).toBe(after.headers.get('etag'));
    const log = await manager.expectOk<{ data: { action: string }[] }>('GET', '/audit?limit=100');
    expect(log.data.filter(({ action }) => action === 'content.publish')).toHaveLength(1);
    expect(await manager.call('PATCH', `${types}/article`, { body: { uri_pattern: '{id' } })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'uri_pattern' }] },
    });
  });

  test('cannot be deleted while they are used by content of any status, by blocks, or by fields of other types', async () => {
    expect(await manager.call('DELETE', `${types}/article`)).toMatchObject({
      status: 409,
      body: { details: { contents: 3, allowed_by: ['event.next'] } },
    });
    expect(await manager.call('DELETE', `${types}/quote`)).toMatchObject({
      status: 409,
      body: { details: { contents: 1, allowed_by: ['article.body'] } },
    });
    await manager.expectOk('PATCH', `${types}/article/fields/body`, { allowed_types: ['box'] });
    expect(await manager.call('DELETE', `${types}/quote`)).toMatchObject({
      status: 409,
      body: { details: { contents: 1, allowed_by: [] } },
    });
    expect((await readType(manager, 'quote')).fields).toHaveLength(2);
  });

  test('are deleted along with their blocks in old versions, so a new type with the same handle has no blocks', async () => {
    expect(await readSavedText(manager, 'article')).toContain('Inside');
    const without = articleRecord('c_2', { title: { text: 'Without blocks' } });
    await manager.service.importRecords([without]);
    expect(await manager.call('DELETE', `${types}/quote`)).toMatchObject({ status: 204, body: undefined });
    expect(await manager.call('GET', `${types}/quote`)).toMatchObject({ status: 404 });
    const body = {
      handle: 'quote',
      name: 'Quote',
      object_type: 'block',
      fields: [{ handle: 'words', type: 'number' }],
    };
    await manager.expectOk('POST', types, body);
    expect(await readSavedText(manager, 'article')).not.toContain('Inside');
    await manager.service.importRecords([
      articleRecord('c_4', { body: { blocks: [{ content_type: 'quote', fields: { words: { number: 7 } } }] } }),
    ]);
    expect(await manager.read(SITE, '/c_4')).toMatchObject({
      body: { fields: { body: { blocks: [{ content_type: { handle: 'quote' }, fields: { words: { number: 7 } } }] } } },
    });
    const wrong = articleRecord('c_5', { body: { blocks: [quoteOf('Text', 'dry')] } });
    await expect(manager.service.importRecords([wrong])).rejects.toThrow('words');
  });

  test('have all their changes recorded in the audit log, but no rejected calls', async () => {
    const audit = await manager.expectOk<{ data: { action: string }[] }>('GET', `/audit?site=${SITE}&limit=100`);
    const before = audit.data.length;
    const body = { handle: 'noted', name: 'Noted', object_type: 'block', fields: [{ handle: 'a', type: 'text' }] };
    await manager.expectOk('POST', types, body);
    await manager.call('POST', types, { body });
    await manager.expectOk('PATCH', `${types}/noted`, { name: 'Noted well' });
    await manager.expectOk('PATCH', `${types}/noted`, { name: 'Noted well' });
    await manager.expectOk('POST', `${types}/noted/fields`, { handle: 'b', type: 'text' });
    await manager.expectOk('PATCH', `${types}/noted/fields/b`, { hidden: true });
    await manager.expectOk('PUT', `${types}/noted/field-order`, { fields: ['b', 'a'] });
    await manager.call('DELETE', `${types}/noted/fields/b`);
    await manager.expectOk('DELETE', `${types}/noted/fields/b?confirm=b`);
    await manager.expectOk('DELETE', `${types}/noted`);
    const after = await manager.expectOk<{ data: { action: string }[] }>('GET', `/audit?site=${SITE}&limit=100`);
    expect(after.data.slice(0, after.data.length - before).map(({ action }) => action)).toEqual([
      'type.delete',
      'field.delete',
      'type.order_fields',
      'field.update',
      'field.create',
      'type.update',
      'type.create',
    ]);
  });

  test('can be deleted when nothing uses them', async () => {
    expect(await manager.call('DELETE', `${types}/plain`)).toMatchObject({ status: 204 });
    expect(await manager.call('DELETE', `${types}/plain`)).toMatchObject({ status: 404 });
    expect(await manager.read(SITE, '?content_type=plain')).toMatchObject({ body: { data: [] } });
  });

  test('may refer to themselves and to each other in cycles', async () => {
    const self = { handle: 'more', type: 'blocks', allowed_types: ['ring'] };
    await manager.expectOk('POST', types, { handle: 'ring', name: 'Ring', object_type: 'block', fields: [self] });
    const back = { handle: 'back', type: 'blocks', allowed_types: ['ring', 'band'] };
    await manager.expectOk('POST', types, { handle: 'band', name: 'Band', object_type: 'block', fields: [back] });
    await manager.expectOk('PATCH', `${types}/ring/fields/more`, { allowed_types: ['ring', 'band'] });
    expect((await readType(manager, 'ring')).fields).toMatchObject([{ allowed_types: ['ring', 'band'] }]);
  });
});
