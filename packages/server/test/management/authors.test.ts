// Authors in the management API, and how readers see them.

import type { ManagedAuthorBody, ManagementPageBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from './manager.ts';
import { importMagazine } from './small-magazine.ts';

type Page = ManagementPageBody<ManagedAuthorBody>;

describe('authors', () => {
  let manager: Manager;
  const path = '/sites/s_mag/authors';

  beforeAll(async () => {
    manager = await startManager();
    await importMagazine(manager, 's_mag');
  });

  afterAll(() => manager.close());

  test('can be created, read, changed and deleted by editors', async () => {
    const body = { name: 'Cleo', email: 'cleo@example.com', profile_photo_url: '/cleo.jpg' };
    const created = await manager.call('POST', path, { body, token: manager.editor });
    expect([created.status, created.body]).toEqual([201, { id: expect.stringMatching(/^u_[0-9a-f]{32}$/), ...body }]);
    const { id } = created.body as ManagedAuthorBody;
    const changed = await manager.expectOk('PATCH', `${path}/${id}`, { email: null }, manager.editor);
    expect(changed).toEqual({ id, ...body, email: null });
    expect(await manager.expectOk('GET', `${path}/${id}`, undefined, manager.editor)).toEqual(changed);
    expect(await manager.call('DELETE', `${path}/${id}`, { token: manager.editor })).toMatchObject({ status: 204 });
    const gone = await manager.call('GET', `${path}/${id}`);
    expect([gone.status, gone.body]).toEqual([404, { message: `There is no author ${id}.`, code: 'not_found' }]);
  });

  test('appear with a new name, URL and photo in the very next response', async () => {
    const before = await manager.read('s_mag', '/c_one');
    expect(before).toMatchObject({ body: { author: { name: 'Ada', email: 'ada@example.com' } } });
    const author = { name: 'Ada Lovelace', email: null, profile_photo_url: 'https://files.example/ada.jpg' };
    await manager.expectOk('PATCH', `${path}/u_ada`, author);
    const after = await manager.read('s_mag', '/c_one', { 'if-none-match': before.headers.get('etag') ?? '' });
    expect(after).toMatchObject({ status: 200, body: { author: { id: 'u_ada', ...author } } });
    expect(await manager.read('s_mag')).toMatchObject({ body: { author } });
    await manager.expectOk('PATCH', `${path}/u_ada`, { name: 'Ada Lovelace' });
    const same = await manager.read('s_mag', '/c_one', { 'if-none-match': after.headers.get('etag') ?? '' });
    expect(same.status).toBe(304);
  });

  test('cannot be deleted while any saved version refers to them', async () => {
    const refused = await manager.call('DELETE', `${path}/u_ada`);
    const contents = [
      { id: 'c_one', name: 'One' },
      { id: 'c_one_fr', name: 'Un' },
    ];
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        message: 'Author u_ada cannot be deleted: 2 content records refer to it.',
        code: 'in_use',
        details: { total: 2, contents },
      },
    ]);
    const records = [
      { kind: 'author', id: 'u_past', site: 's_mag', name: 'Past' },
      {
        kind: 'content',
        id: 'c_three',
        site: 's_mag',
        content_type: 'post',
        language: 'en',
        slug: 'three',
        name: 'Three',
        status: 'draft',
      },
    ];
    await manager.service.importRecords([records[0] ?? {}, { ...records[1], author: 'u_past' }]);
    await manager.service.importRecords([{ ...records[1], author: 'u_bob' }]);
    const past = await manager.call('DELETE', `${path}/u_past`);
    expect(past).toMatchObject({ status: 409, body: { details: { total: 1, contents: [{ id: 'c_three' }] } } });
    expect(await manager.read('s_mag', '/c_one')).toMatchObject({ body: { author: { id: 'u_ada' } } });
  });

  test('have unique ids, even when two are created at the same time', async () => {
    const body = { id: 'u_once', name: 'Once' };
    const answers = await Promise.all([1, 2].map(() => manager.call('POST', path, { body })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  test('are each listed once, sorted by name, page by page, and can be searched by part of the name, ignoring case', async () => {
    await manager.expectOk('POST', '/sites', { id: 's_many', name: 'Many' });
    const names = ['Zoë', 'zoe', 'Ärger', 'arger', 'Bob_', 'Bob%', 'Bob\\', 'Bobby', 'Ömer'];
    for (const name of names) await manager.expectOk('POST', '/sites/s_many/authors', { name });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page: Page = await manager.expectOk('GET', `/sites/s_many/authors?limit=2${query}`);
      seen.push(...page.data.map(({ name }) => name));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(['Ärger', 'arger', 'Bob%', 'Bob\\', 'Bob_', 'Bobby', 'Ömer', 'Zoë', 'zoe']);
    for (const [search, found] of [
      ['ZOE', ['Zoë', 'zoe']],
      ['b_', ['Bob_']],
      ['%', ['Bob%']],
      ['\\', ['Bob\\']],
      ['ob', ['Bob%', 'Bob\\', 'Bob_', 'Bobby']],
      ['nobody', []],
    ] as const) {
      const list = await manager.expectOk<Page>('GET', `/sites/s_many/authors?search=${encodeURIComponent(search)}`);
      expect([search, list.data.map(({ name }) => name)]).toEqual([search, found]);
    }
  });

  test.each([
    ['POST', '', {}, ['name']],
    [
      'POST',
      '',
      { name: '', email: 'nobody', profile_photo_url: 'javascript:alert(1)', login: 'x' },
      ['name', 'email', 'profile_photo_url', 'login'],
    ],
    ['POST', '', { id: '../x', name: 'A' }, ['id']],
    [
      'POST',
      '',
      { name: 'A', profile_photo_url: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>' },
      ['profile_photo_url'],
    ],
    ['PATCH', '/u_ada', { name: null }, ['name']],
    ['PATCH', '/u_ada', { id: 'u_eve' }, ['id']],
    ['PATCH', '/u_ada', { profile_photo_url: 'data:text/html,x' }, ['profile_photo_url']],
    ['GET', `?search=${'x'.repeat(256)}`, undefined, ['query.search']],
    ['GET', '?cursor=WzEsMl0', undefined, ['query.cursor']],
  ] as const)('are not changed by an invalid call: %s %s with %j', async (method, rest, body, places) => {
    const before = await manager.expectOk<Page>('GET', `${path}?limit=100`);
    const answer = await manager.call(method, `${path}${rest}`, body === undefined ? {} : { body });
    expect(answer).toMatchObject({ status: 422, body: { errors: places.map((place) => ({ path: place })) } });
    expect(await manager.expectOk<Page>('GET', `${path}?limit=100`)).toEqual(before);
  });

  test('cannot be found by other accounts', async () => {
    const token = manager.stranger;
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['POST', '', { name: 'Eve' }],
      ['GET', '/u_ada', undefined],
      ['PATCH', '/u_ada', { name: 'Eve' }],
      ['DELETE', '/u_ada', undefined],
    ] as const) {
      const answer = await manager.call(method, `${path}${rest}`, { body, token });
      expect([answer.status, answer.body]).toEqual([404, { message: 'There is no site s_mag.', code: 'not_found' }]);
    }
    for (const method of ['GET', 'DELETE']) {
      expect(await manager.call(method, `${path}/u_none`)).toMatchObject({ status: 404 });
    }
  });
});
