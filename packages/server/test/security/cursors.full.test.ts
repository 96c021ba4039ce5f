// A cursor is a position that the service has issued. Nobody can forge a cursor, or learn anything by using one on another site
// or for a different audience.

import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CursorKey, digestKeys, encodeCursor } from '../../src/listing/cursor.ts';
import { contentOf, cursorListOf, errorOf, idsOf, openReader, type Reader } from '../conformance/reader.ts';
import { content, contentType, PLAIN, PRESS, site } from '../conformance/records.ts';
import { ENGINES } from '../support/test-database.ts';

const INVALID = [422, 'The cursor is invalid.'];
const NAME_SORT = [{ kind: 'attribute', attribute: 'name', direction: 'asc' }] as const;
const IDS = ['c_1', 'c_2', 'c_3', 'c_4'];

let reader: Reader;
let token: string;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    const inSite = (siteId: string) => [
      site(siteId),
      contentType(siteId, 'note', []),
      ...IDS.map((id) => content({ id: `${siteId}_${id}`, site: siteId, content_type: 'note', name: id })),
    ];
    reader = await openReader([...inSite(PRESS), ...inSite(PLAIN)], {}, { engine });
    token = (await reader.service.createKey({ allSites: true, preview: true })).token;
  });

  afterAll(() => reader.close());

  async function nextCursor(options: Parameters<Reader['list']>[1] = {}): Promise<string> {
    return cursorListOf(await reader.list('sort=name&limit=2', { token, ...options })).meta.next_cursor ?? '';
  }

  function show(cursor: string, options: Parameters<Reader['list']>[1] = {}) {
    return reader.list(`sort=name&limit=2&cursor=${cursor}`, { token, ...options });
  }

  test('nobody can move a cursor to a different position, whatever checksum or key they use', async () => {
    const cursor = await nextCursor();
    expect(idsOf(await show(cursor))).toEqual([`${PRESS}_c_3`, `${PRESS}_c_4`]);
    const position = Buffer.from(cursor, 'base64url').subarray(16);
    const moved = Buffer.from(position.toString().replace('c_2', 'c_1'));
    expect(moved.equals(position)).toBe(false);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(moved));
    const seals = [
      Buffer.from(cursor, 'base64url').subarray(0, 16),
      sum,
      Buffer.alloc(16),
      Buffer.alloc(0),
      createHmac('sha256', '').update(moved).digest().subarray(0, 16),
    ];
    for (const seal of seals) {
      expect(errorOf(await show(Buffer.concat([seal, moved]).toString('base64url')))).toEqual(INVALID);
    }
    const edge = { position: { id: `${PRESS}_c_1`, keys: ['c_1'] }, isInclusive: false };
    const realm = { siteId: PRESS, audience: 'public' };
    for (const key of [Buffer.alloc(32), randomBytes(32)]) {
      const forged = encodeCursor(edge, true, NAME_SORT, { ...realm, key: new CursorKey(key) });
      expect(errorOf(await show(forged))).toEqual(INVALID);
    }
  });

  test("nobody can find out an object's name or whether it was ever published", async () => {
    await reader.service.unpublish(PRESS, `${PRESS}_c_1`);
    for (const id of [`${PRESS}_c_1`, `${PRESS}_never`]) {
      const text = ['n>d', id, digestKeys(['c_1'])].join('\0');
      for (const seal of [Buffer.alloc(16), randomBytes(16)]) {
        expect(errorOf(await show(Buffer.concat([seal, Buffer.from(text)]).toString('base64url')))).toEqual(INVALID);
      }
    }
    await reader.service.publish(PRESS, `${PRESS}_c_1`);
  });

  test('a position from one site or audience reveals nothing in another', async () => {
    const preview = { headers: { 'x-service-preview': 'true' } };
    const own = { published: await nextCursor(), preview: await nextCursor(preview) };
    expect((await show(own.published)).status).toBe(200);
    expect((await show(own.preview, preview)).status).toBe(200);
    expect(errorOf(await show(own.published, preview))).toEqual(INVALID);
    expect(errorOf(await show(own.preview))).toEqual(INVALID);
    expect(errorOf(await show(own.published, { site: PLAIN }))).toEqual(INVALID);
    expect(contentOf(await reader.get(`${PLAIN}_c_1`, { token, site: PLAIN })).name).toBe('c_1');
  });
});
