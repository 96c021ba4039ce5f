// Assets in the management API, and how readers see them.

import type { ManagedAssetBody, ManagementPageBody } from '@galley/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manager, startManager } from './manager.ts';
import { importMagazine, PHOTO } from './small-magazine.ts';

type Page = ManagementPageBody<ManagedAssetBody>;

const SAFE_SVG = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>')}`;
const HOSTILE_SVG = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script>x()</script></svg>').toString('base64')}`;

describe('assets', () => {
  let manager: Manager;
  const path = '/sites/s_mag/assets';

  beforeAll(async () => {
    manager = await startManager();
    await importMagazine(manager, 's_mag');
  });

  afterAll(() => manager.close());

  async function showsPhoto(): Promise<unknown> {
    const { body } = await manager.read('s_mag', '/c_one');
    return (body as { fields: { photos: { assets: readonly { asset: unknown }[] } } }).fields.photos.assets[0]?.asset;
  }

  test('can be created by editors, with omitted properties derived from the URL', async () => {
    const created = await manager.call('POST', path, {
      body: { name: 'Cover', url: 'https://files.example/covers/May.PNG?x=1', description: '' },
      token: manager.editor,
    });
    const id = (created.body as ManagedAssetBody).id;
    expect(id).toMatch(/^a_[0-9a-f]{32}$/);
    expect([created.status, created.body]).toEqual([
      201,
      {
        id,
        name: 'Cover',
        description: null,
        path: 'covers/May.PNG',
        url: 'https://files.example/covers/May.PNG?x=1',
        extension: 'png',
        size: 0,
        mime_type: 'image/png',
        is_image: true,
        width: null,
        height: null,
        focal_point: null,
        placeholder: null,
        colour: null,
        file_name: null,
        folder: '',
        tags: [],
        created_at: expect.stringMatching(/^20\d\d-/),
        thumbnail_url: null,
        preview_url: null,
      },
    ]);
    const sized = await manager.expectOk('PATCH', `${path}/${id}`, { size: 9, width: 4, height: 3 }, manager.editor);
    expect(sized).toMatchObject({ name: 'Cover', extension: 'png', size: 9, width: 4, height: 3 });
    const moved = await manager.expectOk('PATCH', `${path}/${id}`, { url: '/new/film.mp4', width: 16 }, manager.editor);
    expect(moved).toMatchObject({
      name: 'Cover',
      path: 'new/film.mp4',
      mime_type: 'video/mp4',
      size: 0,
      width: 16,
      height: null,
    });
    expect(await manager.call('DELETE', `${path}/${id}`, { token: manager.editor })).toMatchObject({ status: 204 });
    expect(await manager.call('GET', `${path}/${id}`)).toMatchObject({ status: 404 });
  });

  test('show their changes in the very next response', async () => {
    expect(await showsPhoto()).toMatchObject({ id: PHOTO.id, name: 'Photo', url: PHOTO.url });
    const before = await manager.read('s_mag', '/c_one');
    const asset = { name: 'Portrait', description: 'Ada at work', url: 'https://files.example/p.webp' };
    await manager.expectOk('PATCH', `${path}/${PHOTO.id}`, asset);
    expect(await showsPhoto()).toMatchObject({ ...asset, mime_type: 'image/webp', width: null });
    const headers = { 'if-none-match': before.headers.get('etag') ?? '' };
    expect(await manager.read('s_mag', '/c_one', headers)).toMatchObject({ status: 200 });
  });

  test('cannot be deleted while content uses them, even in blocks or drafts', async () => {
    const contents = [{ id: 'c_one', name: 'One' }];
    const refused = await manager.call('DELETE', `${path}/${PHOTO.id}`);
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        message: `Asset ${PHOTO.id} cannot be deleted: 1 content record refers to it.`,
        code: 'in_use',
        details: { total: 1, contents },
      },
    ]);
    const block = { content_type: 'figure', fields: { picture: { assets: ['a_block'] } } };
    const draft = {
      kind: 'content',
      id: 'c_draft',
      site: 's_mag',
      content_type: 'post',
      language: 'en',
      slug: 'd',
      name: 'D',
      status: 'draft',
    };
    await manager.expectOk('POST', path, { id: 'a_block', name: 'Block', url: '/b.png' });
    await manager.service.importRecords([{ ...draft, fields: { body: { blocks: [block] } } }]);
    const inBlock = await manager.call('DELETE', `${path}/a_block`);
    expect(inBlock).toMatchObject({
      status: 409,
      body: { details: { total: 1, contents: [{ id: 'c_draft', name: 'D' }] } },
    });
    await manager.service.importRecords([{ ...draft, fields: {} }]);
    expect(await manager.call('DELETE', `${path}/a_block`)).toMatchObject({ status: 204 });
  });

  test('cannot be deleted while archived or published content uses them, unless the field that contains them is deleted', async () => {
    const site = '/sites/s_kept';
    await importMagazine(manager, 's_kept');
    const remove = () => manager.call('DELETE', `${site}/assets/a_free`);
    const contents = [{ id: 'c_two', name: 'Two' }];
    const held = { status: 409, body: { details: { total: 1, contents } } };
    const show = async (assets: readonly string[] | null) => {
      const { version } = await manager.expectOk<{ version: number }>('GET', `${site}/content/c_two`);
      const photos = assets === null ? null : { assets };
      await manager.expectOk('PUT', `${site}/content/c_two`, { version, fields: { photos } });
    };
    await show(['a_free']);
    await manager.expectOk('POST', `${site}/content/c_two/archive`, {});
    expect(await remove()).toMatchObject(held);
    await manager.expectOk('POST', `${site}/content/c_two/restore`, {});
    await manager.expectOk('POST', `${site}/content/c_two/publish`, {});
    await show(null);
    expect(await remove()).toMatchObject(held);
    await manager.expectOk('POST', `${site}/content/c_two/publish`, {});
    await show(['a_free']);
    expect(await remove()).toMatchObject(held);
    await manager.expectOk('POST', `${site}/content/c_two/archive`, { confirm: true });
    await manager.expectOk('DELETE', `${site}/types/post/fields/photos?confirm=photos`);
    expect(await remove()).toMatchObject({ status: 204 });
  });

  test('have all their uses counted on a large site, excluding text that only looks like an id', async () => {
    await importMagazine(manager, 's_large');
    const head = { kind: 'content', site: 's_large', content_type: 'post', language: 'en', status: 'draft' };
    const many = Array.from({ length: 1203 }, (_, index) => ({
      ...head,
      id: `c_${index}`,
      slug: `n-${index}`,
      name: `N ${index}`,
      fields: index % 400 === 2 ? { photos: { assets: ['a_free'] } } : { title: { text: 'a_free' } },
    }));
    await manager.service.importRecords(many);
    const refused = await manager.call('DELETE', '/sites/s_large/assets/a_free');
    expect(refused).toMatchObject({ status: 409, body: { details: { total: 4 } } });
    await manager.service.importRecords(many.map((record) => ({ ...record, fields: { title: { text: 'a_free' } } })));
    expect(await manager.call('DELETE', '/sites/s_large/assets/a_free')).toMatchObject({ status: 204 });
  });

  test('can be pictures in data: URLs, but not pictures that run code', async () => {
    const safe = await manager.expectOk<ManagedAssetBody>('POST', path, { id: 'a_svg', name: 'Logo', url: SAFE_SVG });
    expect(safe).toMatchObject({
      extension: 'svg',
      mime_type: 'image/svg+xml',
      path: 'assets/a_svg.svg',
      url: SAFE_SVG,
    });
    for (const [method, rest] of [
      ['POST', ''],
      ['PATCH', '/a_svg'],
    ] as const) {
      const body = method === 'POST' ? { id: 'a_evil', name: 'Evil', url: HOSTILE_SVG } : { url: HOSTILE_SVG };
      const answer = await manager.call(method, `${path}${rest}`, { body });
      expect([answer.status, answer.body]).toEqual([
        422,
        {
          message: 'The input has 2 errors.',
          code: 'invalid',
          errors: [
            { path: 'url', message: 'must not have the attribute onload on <svg>', code: 'invalid' },
            { path: 'url', message: 'must not contain a <script> element', code: 'invalid' },
          ],
        },
      ]);
    }
    expect(await manager.call('GET', `${path}/a_evil`)).toMatchObject({ status: 404 });
    expect(await manager.expectOk('GET', `${path}/a_svg`)).toEqual(safe);
  });

  test('are listed by name, page by page, and can be searched by name and kind', async () => {
    await manager.expectOk('POST', '/sites', { id: 's_kinds', name: 'Kinds' });
    const files = ['b.png', 'a.jpg', 'c.mp4', 'd.pdf', 'E.PNG', 'f_g.txt'];
    for (const name of files) await manager.expectOk('POST', '/sites/s_kinds/assets', { name, url: `/${name}` });
    const list = async (query: string): Promise<readonly string[]> =>
      (await manager.expectOk<Page>('GET', `/sites/s_kinds/assets?${query}`)).data.map(({ name }) => name);
    expect(await list('limit=100')).toEqual(['a.jpg', 'b.png', 'c.mp4', 'd.pdf', 'E.PNG', 'f_g.txt']);
    expect(await list('kind=image/')).toEqual(['a.jpg', 'b.png', 'E.PNG']);
    expect(await list('kind=image/png&search=e.')).toEqual(['E.PNG']);
    expect(await list('search=_')).toEqual(['f_g.txt']);
    expect(await list('kind=audio/')).toEqual([]);
    const first = await manager.expectOk<Page>('GET', '/sites/s_kinds/assets?kind=image/&limit=2');
    expect(first.next_cursor).not.toBe(null);
    expect(await list(`kind=image/&limit=2&cursor=${first.next_cursor}`)).toEqual(['E.PNG']);
  });

  test.each([
    ['POST', '', {}, ['name', 'url']],
    ['POST', '', { name: 'A', url: 'ftp://x/y' }, ['url']],
    ['POST', '', { name: 'A', url: '//evil.example/x' }, ['url']],
    ['POST', '', { name: 'A', url: 'javascript:alert(1)' }, ['url']],
    ['POST', '', { name: 'A', url: 'data:text/html,<script>x</script>' }, ['url']],
    ['POST', '', { name: 'A', url: `data:image/png;base64,iVBORw0KGgoA${'A'.repeat(100_000)}` }, ['url']],
    [
      'POST',
      '',
      { name: 'A', url: '/a', size: -1, width: 1.5, height: '9', mime_type: 'image', extension: '.png', file: 'x' },
      ['extension', 'size', 'mime_type', 'width', 'height', 'file'],
    ],
    [
      'POST',
      '',
      { name: 'A', url: '/a', description: 'x'.repeat(5001), path: 'x'.repeat(1025) },
      ['description', 'path'],
    ],
    ['PATCH', '/a_free', { url: null }, ['url']],
    ['PATCH', '/a_free', { id: 'a_other' }, ['id']],
    ['GET', '?kind=image', undefined, ['query.kind']],
  ] as const)('are not changed by an invalid call: %s %s with %.80j', async (method, rest, body, places) => {
    const before = await manager.expectOk<Page>('GET', `${path}?limit=100`);
    const answer = await manager.call(method, `${path}${rest}`, body === undefined ? {} : { body });
    expect(answer).toMatchObject({ status: 422, body: { errors: places.map((place) => ({ path: place })) } });
    expect(await manager.expectOk<Page>('GET', `${path}?limit=100`)).toEqual(before);
  });

  test('cannot be found by other accounts', async () => {
    const token = manager.stranger;
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['POST', '', { name: 'A', url: '/a' }],
      ['GET', '/a_photo', undefined],
      ['PATCH', '/a_photo', { name: 'Mine' }],
      ['DELETE', '/a_photo', undefined],
    ] as const) {
      const answer = await manager.call(method, `${path}${rest}`, { body, token });
      expect([answer.status, answer.body]).toEqual([404, { message: 'There is no site s_mag.', code: 'not_found' }]);
    }
  });
});
