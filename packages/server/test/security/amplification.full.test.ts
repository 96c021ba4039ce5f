// A short value can embed the same large object thousands of times. Nobody can publish such content, and if published content grows that
// large later, requests for it are rejected.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fireDue } from '../../src/authoring/schedule/fire-due.ts';
import { BundleRefusal } from '../../src/bundle/bundle-report.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { MOST_ANSWER_BYTES, WHOLE_ROOM } from '../../src/content/answer-limit.ts';
import { parseSelection, type Wanted } from '../../src/delivery/delivery-request.ts';
import { CursorKey } from '../../src/listing/cursor.ts';
import { EMPTY_RESULT, type Procedure } from '../../src/storage/statement.ts';
import { VIEWS } from '../../src/storage/views.ts';
import { type Manager, startManager } from '../management/manager.ts';
import { readVisit } from '../storage/editor.ts';
import { ENGINES } from '../support/test-database.ts';

const SITE = 's_big';
const CONTENT = `/sites/${SITE}/content`;
const ASSETS = `/sites/${SITE}/assets`;
const PICTURE = `data:image/png;base64,iVBORw0KGgoA${'A'.repeat(15_988)}`;
const TOO_LARGE = { message: 'The object, including everything embedded in it, is larger than 32 MB.' };
const FAULT = {
  path: 'fields',
  message: 'must be at most 32 MB in total, counting each asset and linked object every time it appears',
};
const SMALL = 'https://big.example/a.png';
const HELP = 'h'.repeat(1000);

const RECORDS = [
  { kind: 'site', id: SITE, name: 'Big', default_language: 'en', languages: ['en'] },
  ...['a_1', 'a_2', 'a_3', 'a_4'].map((id) => ({ kind: 'asset', id, site: SITE, name: id, url: SMALL })),
  buildType('card', 'block', [
    { handle: 'pictures', name: 'Pictures', type: 'assets' },
    { handle: 'links', name: 'Links', type: 'content_links' },
  ]),
  buildType(
    'form',
    'block',
    Array.from({ length: 50 }, (_, index) => ({
      handle: `f${index}`,
      name: HELP.slice(0, 200),
      type: 'text',
      help_text: HELP,
    })),
  ),
  buildType('page', 'page', [
    { handle: 'lines', name: 'Lines', type: 'list' },
    { handle: 'cards', name: 'Cards', type: 'blocks' },
    { handle: 'links', name: 'Links', type: 'content_links' },
  ]),
];

function buildType(handle: string, objectType: string, fields: readonly object[]): object {
  return { kind: 'content_type', id: `t_${handle}`, site: SITE, handle, name: handle, object_type: objectType, fields };
}

function buildPage(id: string, fields: object, members: object = {}): Record<string, unknown> {
  const page = { kind: 'content', site: SITE, content_type: 'page', language: 'en', slug: id, name: id };
  return { ...page, id, status: 'published', fields, ...members };
}

function repeatBlock(count: number, fields: object, type = 'card'): object {
  return { blocks: Array.from({ length: count }, () => ({ content_type: type, fields })) };
}

/** 750 blocks with three pictures each: 200 KB that embed 36 MB. */
const WALL = { cards: repeatBlock(750, { pictures: { assets: ['a_1', 'a_2', 'a_3'] } }) };

let manager: Manager;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    manager = await startManager({}, { engine });
    await manager.service.importRecords(RECORDS);
  });
  afterAll(() => manager.close());

  async function setPictures(url: string): Promise<void> {
    for (const id of ['a_1', 'a_2', 'a_3']) await manager.expectOk('PATCH', `${ASSETS}/${id}`, { url });
  }

  async function createPage(fields: object): Promise<string> {
    const body = { content_type: 'page', name: 'Page', fields };
    return (await manager.expectOk<{ id: string }>('POST', CONTENT, body)).id;
  }

  async function fireSchedules(time: string): Promise<readonly object[]> {
    const now = Date.parse(time);
    const desk = { ...createDesk(manager.service.storage), now: () => now };
    const firings: object[] = [];
    for await (const { contentId, failure } of fireDue(desk, now)) {
      firings.push({ id: contentId, reason: failure?.reason });
    }
    return firings;
  }

  /** The problems that the panel shows before anyone tries to publish. */
  async function findFaults(id: string): Promise<readonly object[]> {
    return (await manager.expectOk<{ faults: readonly object[] }>('GET', `${CONTENT}/${id}`)).faults;
  }

  /** The errors from a rejected import, without line numbers. */
  async function importFaults(records: readonly object[]): Promise<readonly string[]> {
    const error: unknown = await manager.service.importRecords(records).then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    if (!(error instanceof BundleRefusal)) throw new Error('The import was not rejected', { cause: error });
    return error.faults.map(({ line, record, message }) => `${line} ${record?.id} ${message.split(',', 1)[0]}`);
  }

  /** The number of characters that the database returns for a response. */
  async function measureRead(siteId: string, wanted: Wanted): Promise<number> {
    const { storage } = manager.service;
    const { token } = await manager.service.createKey({ sites: [siteId] });
    const memo = (await readVisit(storage, token, siteId))?.memo;
    if (memo == null) throw new Error(`There is no site ${siteId}`);
    const reading = { memo, generation: 1, version: 1, view: VIEWS.public, room: WHOLE_ROOM, sharedId: null };
    const selection = parseSelection(wanted, { cursorKey: new CursorKey(Buffer.alloc(32)) }, reading, undefined);
    if (!selection.ok) throw new Error(selection.problem.message);
    return storage.read(countCharacters(storage.delivery.select(selection.value)));
  }

  function* countCharacters(procedure: Procedure<unknown>): Procedure<number> {
    let characters = 0;
    for (let step = procedure.next(EMPTY_RESULT); !step.done; ) {
      const found = yield step.value;
      for (const cell of found.rows.flat()) characters += String(cell).length;
      step = procedure.next(found);
    }
    return characters;
  }

  function measureObject(siteId: string, id: string): Promise<number> {
    return measureRead(siteId, {
      kind: 'object',
      id,
      queryString: '',
      language: undefined,
      baseUrl: '',
      wantsMarks: false,
    });
  }

  describe('content that embeds more than a response may contain', () => {
    test('is not served to readers, on its own or in lists, if its assets have grown; other content is still served', async () => {
      await setPictures(SMALL);
      const id = await createPage(WALL);
      await manager.expectOk('POST', `${CONTENT}/${id}/publish`, {});
      expect(await manager.read(SITE, `/${id}`)).toMatchObject({ status: 200 });
      await manager.service.importRecords([buildPage('c_other', {})]);
      const due = await createPage(WALL);
      await manager.expectOk('POST', `${CONTENT}/${due}/schedule`, { publish_at: '2099-01-01T00:00:00+00:00' });
      await setPictures(PICTURE);
      expect(await fireSchedules('2099-01-01T00:00:00Z')).toEqual([
        {
          id: due,
          reason: {
            message: `Content ${due} cannot be published: ${FAULT.path} ${FAULT.message}.`,
            faults: [FAULT],
          },
        },
      ]);
      expect(await manager.read(SITE, `/${due}`)).toMatchObject({ status: 404 });
      const alone = await manager.read(SITE, `/${id}`);
      expect([alone.status, alone.body]).toEqual([422, TOO_LARGE]);
      expect(await manager.read(SITE, '?limit=50')).toMatchObject({ status: 422 });
      expect(await manager.read(SITE, '/c_other')).toMatchObject({ status: 200 });
      expect(await findFaults(id)).toEqual([{ ...FAULT, code: 'invalid' }]);
      await manager.expectOk('POST', `${CONTENT}/${id}/unpublish`, { confirm: true });
    });

    test('is not served to readers if it has too many links, and the links are not even read', async () => {
      const ids = Array.from({ length: 280 }, (_, index) => `c_part_${index}`);
      const hub = buildPage('c_hub', { links: { content_links: ids } });
      await manager.service.importRecords([...ids.map((id) => buildPage(id, {})), hub]);
      expect(await manager.read(SITE, '/c_hub')).toMatchObject({ status: 200 });
      const lines = { list: ['x'.repeat(250_000)] };
      await manager.service.importRecords(ids.map((id) => buildPage(id, { lines })));
      const answer = await manager.read(SITE, '/c_hub');
      expect([answer.status, answer.body]).toEqual([422, TOO_LARGE]);
      expect(await measureObject(SITE, 'c_hub')).toBeLessThan(MOST_ANSWER_BYTES);
    });

    // The rest does not depend on the engine.
    if (engine !== 'sqlite') return;

    test('cannot be published, scheduled or imported as published, and its preview is rejected', async () => {
      await setPictures(PICTURE);
      const id = await createPage(WALL);
      for (const [action, body] of [
        ['publish', {}],
        ['schedule', { publish_at: '2099-01-01T00:00:00+00:00' }],
      ] as const) {
        const answer = await manager.call('POST', `${CONTENT}/${id}/${action}`, { body });
        expect(answer).toMatchObject({ status: 422, body: { errors: [FAULT] } });
      }
      expect(await findFaults(id)).toEqual([{ ...FAULT, code: 'invalid' }]);
      await expect(manager.service.publish(SITE, id)).rejects.toThrow(
        `Content ${id} cannot be published: ${FAULT.path} ${FAULT.message}.`,
      );
      const preview = await manager.read(SITE, `/${id}`, { 'x-service-preview': 'true' });
      expect([preview.status, preview.body]).toEqual([422, TOO_LARGE]);
      expect(await manager.read(SITE, `/${id}`)).toMatchObject({ status: 404 });
      expect(await importFaults([buildPage('c_small', {}), buildPage('c_wall', WALL)])).toEqual([
        '2 c_wall is larger than 32 MB',
      ]);
      await manager.service.importRecords([buildPage('c_draft', WALL, { status: 'draft' })]);
    });

    test('is reported with its own line number if it is imported together with the content it embeds', async () => {
      const assets = Array.from({ length: 3 }, (_, index) => ({
        ...{ kind: 'asset', id: `a_new_${index}`, site: 's_new', name: 'New' },
        url: PICTURE,
      }));
      const move = (record: object): object => ({ ...record, site: 's_new' });
      const catalog = [
        { ...RECORDS[0], id: 's_new' },
        ...RECORDS.slice(5).map((record) => ({ ...move(record), id: `${Reflect.get(record, 'id')}_new` })),
      ];
      const cards = (count: number): object => ({ cards: repeatBlock(count, { pictures: { assets: ['a_new_0'] } }) });
      const leaf = move(buildPage('c_leaf', cards(300)));
      const hub = move(buildPage('c_hub', { links: { content_links: ['c_leaf', 'c_self'] }, ...cards(1) }));
      const self = move(buildPage('c_self', { cards: repeatBlock(1100, { links: { content_links: ['c_self'] } }) }));
      const wide = move(buildPage('c_wide', { cards: repeatBlock(900, {}, 'form') }));
      const linking = move(buildPage('c_linking', { cards: repeatBlock(7, { links: { content_links: ['c_leaf'] } }) }));
      expect(await importFaults([...catalog, ...assets, hub, linking, leaf, self, wide])).toEqual([
        '9 c_linking is larger than 32 MB',
        '11 c_self is larger than 32 MB',
        '12 c_wide is larger than 32 MB',
      ]);
    });

    test('is not served to readers if linked content has grown too large, measured in bytes rather than characters', async () => {
      const hub = buildPage('c_hub', { cards: repeatBlock(12, { links: { content_links: ['c_part'] } }) });
      await manager.service.importRecords([buildPage('c_part', {}), hub]);
      for (const [characters, status] of [
        [1_000_000, 422],
        [900_000, 200],
      ] as const) {
        await manager.service.importRecords([buildPage('c_part', { lines: { list: ['€'.repeat(characters)] } })]);
        expect(await manager.read(SITE, '/c_hub')).toMatchObject({ status });
      }
    });
  });

  describe('very large objects', () => {
    const site = 's_large';
    const ids = Array.from({ length: 24 }, (_, index) => `c_large_${index + 10}`);
    const characters = 3_000_000;
    const fields = [
      { handle: 'lines', name: 'Lines', type: 'list' },
      { handle: 'links', name: 'Links', type: 'content_links' },
    ];

    function buildLarge(id: string, values: object): object {
      return buildPage(id, values, { site, content_type: 'large' });
    }

    beforeAll(async () => {
      await manager.service.importRecords([
        { kind: 'site', id: site, name: 'Large', default_language: 'en', languages: ['en'] },
        { ...buildType('large', 'page', fields), site },
        ...ids.map((id) => buildLarge(id, {})),
        ...[2, 24].map((count) => buildLarge(`c_to_${count}`, { links: { content_links: ids.slice(0, count) } })),
      ]);
      await manager.service.importRecords(
        ids.map((id) => buildLarge(id, { lines: { list: ['x'.repeat(characters)] } })),
      );
    });

    test.each([
      ['cursor', 'false'],
      ['page number', 'true'],
    ])('are not read if a list by %s contains too many; a list with fewer is served in full', async (_, simple) => {
      for (const preview of ['false', 'true']) {
        const headers = { 'x-service-simple-pagination': simple, 'x-service-preview': preview };
        const refused = await manager.read(site, '?limit=100', headers);
        const message = 'The 26 objects together are larger than 32 MB; ask for fewer with the limit parameter.';
        expect([refused.status, refused.body]).toEqual([422, { message }]);
        const served = await manager.read(site, '?limit=3&sort=slug', headers);
        expect([served.status, listSizes(served.body)]).toEqual([200, ids.slice(0, 3).map((id) => [id, characters])]);
      }
      const isSimple = simple === 'true';
      const list = {
        kind: 'list',
        queryString: 'limit=100',
        language: undefined,
        defaultMatch: 'any',
        path: '',
        baseUrl: '',
        wantsMarks: false,
      } as const;
      expect(await measureRead(site, { ...list, isSimple })).toBeLessThan(MOST_ANSWER_BYTES);
    });

    test('are not read if an object links to too many of them', async () => {
      expect(await manager.read(site, '/c_to_2')).toMatchObject({ status: 200 });
      expect(await manager.read(site, '/c_to_24')).toMatchObject({ status: 422 });
      expect(await measureObject(site, 'c_to_24')).toBeLessThan(MOST_ANSWER_BYTES);
    });
  });

  /** The IDs in a list, and the number of x characters in each object. */
  function listSizes(body: unknown): readonly unknown[] {
    const data: unknown = typeof body === 'object' && body !== null && 'data' in body ? body.data : [];
    if (!Array.isArray(data)) throw new Error('The response is not a list');
    return data.map((each) => [Reflect.get(each, 'id'), JSON.stringify(each).split('xx').length * 2 - 2]);
  }

  // The rest does not depend on the engine.
  if (engine !== 'sqlite') return;

  describe('a data: URL that should be a picture', () => {
    test.each([
      [`data:image/png;base64,iVBORw0KGgoA${'A'.repeat(17_000)}`, ', got 17 KB'],
      ['data:text/plain,hello', ', got text/plain'],
      ['data:application/pdf;base64,AAAA', ', got application/pdf'],
    ])('is rejected if it is too large or not a picture: %.30s', async (url, got) => {
      const message = expect.stringMatching(`^must be a picture of at most 16 KB if it is a data: URL.*${got}$`);
      const expected = { status: 422, body: { errors: [{ path: 'url', message }] } };
      expect(await manager.call('POST', ASSETS, { body: { name: 'A', url } })).toMatchObject(expected);
      expect(await manager.call('PATCH', `${ASSETS}/a_4`, { body: { url } })).toMatchObject(expected);
    });

    test('is kept if it comes from an older release, and the rest of its asset can be changed', async () => {
      const url = `data:image/png;base64,${'A'.repeat(90_000)}`;
      await manager.service.importRecords([{ kind: 'asset', id: 'a_old', site: SITE, name: 'Old', url }]);
      await manager.expectOk('PATCH', `${ASSETS}/a_old`, { name: 'Renamed', url });
      expect(await manager.expectOk('GET', `${ASSETS}/a_old`)).toMatchObject({ name: 'Renamed', url });
    });
  });
});
