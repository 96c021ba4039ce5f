// Lists by cursor, the default: the sets follow each other without a gap, forwards and back.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, content, contentType, PLAIN, PRESS, RECORDS } from './fixture.ts';
import {
  contentOf,
  cursorListOf,
  errorOf,
  idsOf,
  LIST_PATH,
  linksOf,
  openReader,
  type Reader,
  type Reply,
  SIMPLE,
  targetOf,
} from './reader.ts';

const INVALID = [422, 'The cursor is invalid.'];

/** Nine steps: three share each rank, one has none; names run against ids. */
const STEPS = Array.from({ length: 9 }, (_, index) => ({
  id: `step_${index + 1}`,
  name: `step ${9 - index}`,
  rank: index === 4 ? null : index % 3,
}));

const LONG_KEYS = ['t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8'];

/** Text that is long, different only at its end, and takes as many bytes as it can. */
function longText(index: number): string {
  return `${'漢'.repeat(130)}${index}`;
}

let reader: Reader;

beforeAll(async () => {
  reader = await openReader([
    ...RECORDS,
    contentType(PRESS, 'step', [
      { handle: 'rank', type: 'number' },
      { handle: 'title', type: 'text' },
    ]),
    ...STEPS.map(({ id, name, rank }, index) =>
      content({ id, content_type: 'step', name, published_at: at(index + 1), fields: { rank: { number: rank } } }),
    ),
    contentType(
      PRESS,
      'lengthy',
      LONG_KEYS.map((handle) => ({ handle, type: 'text' })),
    ),
    ...Array.from({ length: 5 }, (_, index) =>
      content({
        id: `${'long_'.repeat(12)}${index}`,
        content_type: 'lengthy',
        fields: Object.fromEntries(LONG_KEYS.map((handle) => [handle, { text: longText(index) }])),
      }),
    ),
  ]);
});

afterAll(() => reader.close());

/** All sets from the first one on, by following `next`. */
async function walk(query: string): Promise<readonly Reply[]> {
  const first = await reader.list(query);
  return [first, ...(await walkOn(first))];
}

/** All sets behind this one. */
async function walkOn(start: Reply): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (let { next } = linksOf(start); next !== undefined; ) {
    if (replies.length > 50) throw new Error('The walk does not end');
    const reply = await reader.call(targetOf(next));
    replies.push(reply);
    next = linksOf(reply).next;
  }
  return replies;
}

function lastOf(replies: readonly Reply[]): Reply {
  const last = replies.at(-1);
  if (last === undefined) throw new Error('There is no set');
  return last;
}

test('returns 20 objects where no limit is given, and says so', async () => {
  const many = Array.from({ length: 25 }, (_, index) => content({ id: `many_${index}`, content_type: 'many' }));
  await reader.service.importRecords([contentType(PRESS, 'many', []), ...many]);
  const list = cursorListOf(await reader.list('content_type=many'));
  expect(list.data).toHaveLength(20);
  expect(list.meta.per_page).toBe(20);
});

test('returns as many objects as the limit says, from 1 to 100, and repeats it in per_page', async () => {
  for (const limit of [2, 3, 8, 99, 100]) {
    const list = cursorListOf(await reader.list(`content_type=step&limit=${limit}`));
    expect(list.data).toHaveLength(Math.min(limit, 9));
    expect(list.meta.per_page).toBe(limit);
  }
});

test('refuses any other limit, and clamps nothing', async () => {
  for (const limit of ['0', '-1', '101', '1000', '2.5', '1e1', 'ten', '٣', '0x10', '99999999999999999999', ' 5', 'null']) {
    const shown = JSON.stringify(limit);
    for (const options of [{}, SIMPLE]) {
      expect(errorOf(await reader.list(`limit=${encodeURIComponent(limit)}`, options))).toEqual([
        422,
        `The limit parameter is ${shown}; an integer from 1 to 100 is allowed.`,
      ]);
    }
  }
  expect(errorOf(await reader.list('limit=1&limit=2'))).toEqual([422, 'The limit parameter takes exactly one value.']);
  expect(errorOf(await reader.list('limit[a]=1'))).toEqual([422, 'The limit parameter takes exactly one value.']);
});

test('has null for first and last, always', async () => {
  for (const reply of await walk('content_type=step&limit=2')) {
    if (idsOf(reply).length === 1) continue;
    expect(cursorListOf(reply).links).toMatchObject({ first: null, last: null });
  }
});

test('has exactly the promised members in links and meta, in the promised order', async () => {
  const list = cursorListOf(await reader.list('content_type=step&limit=2'));
  expect(Object.keys(list.links)).toEqual(['first', 'last', 'prev', 'next']);
  expect(Object.keys(list.meta)).toEqual(['path', 'per_page', 'next_cursor', 'prev_cursor']);
});

test('has no prev on the first set and no next on the last', async () => {
  const sets = (await walk('content_type=step&limit=3')).map(cursorListOf);
  expect(sets.map(({ links }) => [links.prev === null, links.next === null])).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
  expect(sets.map(({ meta }) => [meta.prev_cursor === null, meta.next_cursor === null])).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
  const whole = cursorListOf(await reader.list('content_type=step&limit=9'));
  expect([whole.links.prev, whole.links.next]).toEqual([null, null]);
});

test('visits every object exactly once, in order, whatever the limit and the sort', async () => {
  for (const sort of ['name:asc', 'rank.number:desc', 'rank.number:asc', 'created_at:desc', 'title.text:asc', '']) {
    const whole = idsOf(await reader.list(`content_type=step&limit=100&sort=${sort}`));
    for (const limit of [1, 2, 3, 4, 8]) {
      const sets = await walk(`content_type=step&sort=${sort}&limit=${limit}`);
      expect(sets.flatMap(idsOf), `${sort} by ${limit}`).toEqual(whole);
    }
  }
});

test('gives the same set again when going next and then prev', async () => {
  for (const sort of ['name:asc', 'rank.number:desc', 'created_at:asc']) {
    const sets = await walk(`content_type=step&sort=${sort}&limit=2`);
    for (const [index, set] of sets.entries()) {
      const { prev } = linksOf(set);
      const before = sets[index - 1];
      if (before === undefined) {
        expect(prev).toBeUndefined();
        continue;
      }
      expect(idsOf(await reader.call(targetOf(prev))), `${sort}, set ${index}`).toEqual(idsOf(before));
    }
  }
});

test('gives whole lists alike on the way back: prev of the second set is the first set, links and all', async () => {
  const first = cursorListOf(await reader.list('content_type=step&limit=3&sort=name'));
  const second = cursorListOf(await reader.call(targetOf(first.links.next)));
  const back = cursorListOf(await reader.call(targetOf(second.links.prev)));
  expect(back.data).toEqual(first.data);
  expect(back.links.prev).toBe(null);
  expect(back.meta.next_cursor).toBe(first.meta.next_cursor);
});

test('has the cursors of meta in the URLs of links', async () => {
  const first = cursorListOf(await reader.list('content_type=step&limit=3'));
  const second = cursorListOf(await reader.call(targetOf(first.links.next)));
  expect(new URL(second.links.next ?? '').searchParams.get('cursor')).toBe(second.meta.next_cursor);
  expect(new URL(second.links.prev ?? '').searchParams.get('cursor')).toBe(second.meta.prev_cursor);
  const byHand = await reader.list(`content_type=step&limit=3&cursor=${first.meta.next_cursor}`);
  expect(cursorListOf(byHand).data).toEqual(second.data);
});

test('keeps all other parameters in its URLs, in their order and spelling', async () => {
  const query = 'x=1&content_type%5B%5D=step&sort[0]=name%3Aasc&limit=2&empty=&flag&x=2&q=a+b%20c';
  const first = cursorListOf(await reader.list(query));
  const base = `${reader.service.url}${LIST_PATH}`;
  expect(first.links.next).toBe(`${base}?${query}&cursor=${first.meta.next_cursor}`);
  const second = cursorListOf(await reader.call(targetOf(first.links.next)));
  expect(second.links.prev).toBe(`${base}?${query}&cursor=${second.meta.prev_cursor}`);
  expect(second.links.next).toBe(`${base}?${query}&cursor=${second.meta.next_cursor}`);
});

test('replaces the cursor of the request, however it was spelled, and keeps a page that means nothing here', async () => {
  const first = cursorListOf(await reader.list('content_type=step&limit=2'));
  const cursor = first.meta.next_cursor;
  for (const name of ['cursor', 'cursor[]', 'cursor%5B0%5D', '%63ursor']) {
    const reply = await reader.list(`${name}=${cursor}&content_type=step&limit=2&page=7`);
    const list = cursorListOf(reply);
    expect(list.links.next).toBe(
      `${reader.service.url}${LIST_PATH}?content_type=step&limit=2&page=7&cursor=${list.meta.next_cursor}`,
    );
  }
});

test('has absolute URLs, and the path of the endpoint without parameters in meta', async () => {
  const { meta, links } = cursorListOf(await reader.list('content_type=step&limit=2'));
  expect(meta.path).toBe(`${reader.service.url}${LIST_PATH}`);
  expect(links.next?.startsWith(`${meta.path}?`)).toBe(true);
});

test('ignores page in cursor mode, even when it is wrong', async () => {
  for (const page of ['2', '0', 'x', '']) {
    expect(idsOf(await reader.list(`content_type=step&limit=3&page=${page}`))).toEqual(
      idsOf(await reader.list('content_type=step&limit=3')),
    );
  }
});

test('makes cursors that are URL-safe and at most 1,024 characters long', async () => {
  for (const reply of await walk('sort=name&limit=2')) {
    const { next } = linksOf(reply);
    if (next === undefined) continue;
    expect(new URL(next).searchParams.get('cursor')).toMatch(/^[A-Za-z0-9_-]{1,1024}$/);
  }
});

test('walks lists whose keys are longer than a cursor, forwards and back', async () => {
  const sort = LONG_KEYS.map((handle, index) => `sort[]=${handle}.text:${index % 2 === 0 ? 'desc' : 'asc'}`).join('&');
  const whole = idsOf(await reader.list(`content_type=lengthy&limit=100&${sort}`));
  expect(whole).toHaveLength(5);
  const sets = await walk(`content_type=lengthy&limit=2&${sort}`);
  expect(sets.flatMap(idsOf)).toEqual(whole);
  for (const reply of sets) {
    for (const url of Object.values(linksOf(reply))) {
      expect(new URL(url).searchParams.get('cursor')?.length).toBeLessThanOrEqual(1024);
    }
  }
  const last = lastOf(sets);
  expect(idsOf(await reader.call(targetOf(linksOf(last).prev)))).toEqual(whole.slice(2, 4));
});

test('refuses a cursor that is malformed', async () => {
  const malformed = ['x', '0', '-', 'null', 'undefined', 'e30', 'eyJpZCI6MX0', 'A'.repeat(1024), 'A'.repeat(1025), '%00', '漢'];
  for (const cursor of malformed) {
    expect(errorOf(await reader.list(`cursor=${encodeURIComponent(cursor)}`)), cursor).toEqual(INVALID);
  }
});

test('refuses a cursor that was altered in any one character', async () => {
  const cursor = cursorListOf(await reader.list('content_type=step&limit=2&sort=name')).meta.next_cursor ?? '';
  const altered = [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, cursor.toLowerCase()];
  for (let index = 0; index < cursor.length; index++) {
    const other = cursor[index] === 'A' ? 'B' : 'A';
    altered.push(`${cursor.slice(0, index)}${other}${cursor.slice(index + 1)}`);
  }
  for (const text of altered) {
    if (text === cursor) continue;
    expect(errorOf(await reader.list(`content_type=step&limit=2&sort=name&cursor=${text}`)), text).toEqual(INVALID);
  }
});

test('refuses a cursor that was made for another sort', async () => {
  const cursor = cursorListOf(await reader.list('content_type=step&limit=2&sort=name')).meta.next_cursor;
  for (const sort of ['', 'name:desc', 'slug', 'created_at', 'rank.number', 'title.text', 'name&sort=slug']) {
    const reply = await reader.list(`content_type=step&limit=2&sort=${sort}&cursor=${cursor}`);
    expect(errorOf(reply), sort).toEqual(INVALID);
  }
});

test('takes a cursor back for the same sort, however that is spelled', async () => {
  const cursor = cursorListOf(await reader.list('content_type=step&limit=2&sort=name')).meta.next_cursor;
  for (const sort of ['sort=name:asc', 'sort[]=name', 'sort%5B0%5D=name%3Aasc']) {
    const reply = await reader.list(`content_type=step&limit=2&${sort}&cursor=${cursor}`);
    expect(idsOf(reply)).toHaveLength(2);
  }
});

test('grants nothing by a cursor: it needs the key, and one from another site shows only the own site', async () => {
  const { token } = await reader.service.createKey({ sites: [PLAIN] });
  const cursor = linksOf(await reader.list('limit=1', { token, site: PLAIN })).next ?? '';
  const foreign = new URL(cursor).searchParams.get('cursor');
  const own = idsOf(await reader.list('limit=100'));
  for (const id of idsOf(await reader.list(`limit=100&cursor=${foreign}`))) expect(own).toContain(id);
  expect((await reader.list(`cursor=${foreign}`, { token: undefined })).status).toBe(401);
  expect((await reader.list(`cursor=${foreign}`, { site: PLAIN })).status).toBe(403);
});

test('stays valid when the object at its edge is withdrawn', async () => {
  const { service } = reader;
  const contents = ['e_1', 'e_2', 'e_3', 'e_4'].map((id) => content({ id, content_type: 'edge' }));
  await service.importRecords([contentType(PRESS, 'edge', []), ...contents]);
  const first = await reader.list('content_type=edge&sort=name&limit=2');
  await service.unpublish(PRESS, 'e_2');
  const second = await reader.call(targetOf(linksOf(first).next));
  expect(idsOf(second)).toEqual(['e_3', 'e_4']);
  expect(idsOf(await reader.call(targetOf(linksOf(second).prev)))).toEqual(['e_1']);
  await service.publish(PRESS, 'e_2');
});

test('leads back from a set that was found empty without leaving anything out', async () => {
  const { service } = reader;
  const contents = ['v_1', 'v_2', 'v_3'].map((id) => content({ id, content_type: 'void' }));
  await service.importRecords([contentType(PRESS, 'void', []), ...contents]);
  const first = await reader.list('content_type=void&sort=name&limit=2');
  await service.unpublish(PRESS, 'v_3');
  const second = cursorListOf(await reader.call(targetOf(linksOf(first).next)));
  expect(second.data).toEqual([]);
  expect(second.links.next).toBe(null);
  expect(idsOf(await reader.call(targetOf(second.links.prev)))).toEqual(['v_1', 'v_2']);
});

test('neither skips nor repeats what stays while other objects come, go and move', async () => {
  const { service } = reader;
  const make = (id: string, name: string) => content({ id, content_type: 'busy', name, updated_at: at(2) });
  const stable = ['m_2', 'm_4', 'm_6', 'm_8'].map((id) => make(id, id));
  await service.importRecords([contentType(PRESS, 'busy', []), ...stable, make('m_3', 'm_3')]);
  const first = await reader.list('content_type=busy&sort=name&limit=2');
  expect(idsOf(first)).toEqual(['m_2', 'm_3']);
  await service.importRecords([make('m_1', 'm_1'), make('m_5', 'm_5'), make('m_3', 'm_9')]);
  expect((await walkOn(first)).flatMap(idsOf)).toEqual(['m_4', 'm_5', 'm_6', 'm_8', 'm_3']);
});

test('returns the one object alone where a set holds exactly one, with Link headers to go on', async () => {
  const first = await reader.list('content_type=step&sort=name&limit=1');
  expect(contentOf(first).id).toBe('step_9');
  expect(Object.keys(linksOf(first))).toEqual(['next']);
  const second = await reader.call(targetOf(linksOf(first).next));
  expect(contentOf(second).id).toBe('step_8');
  expect(Object.keys(linksOf(second))).toEqual(['prev', 'next']);
  expect(contentOf(await reader.call(targetOf(linksOf(second).prev))).id).toBe('step_9');
});

test('returns the one object alone where filters match one, and where the last set holds one', async () => {
  const only = await reader.list('slug=full');
  expect(contentOf(only).id).toBe('c_full');
  expect(only.headers.link).toBeUndefined();
  const sets = await walk('content_type=step&sort=name&limit=4');
  expect(sets.map((set) => idsOf(set).length)).toEqual([4, 4, 1]);
  const last = lastOf(sets);
  expect(contentOf(last).id).toBe('step_1');
  expect(Object.keys(linksOf(last))).toEqual(['prev']);
});

test('carries the same URLs in the Link header as in links', async () => {
  for (const reply of await walk('content_type=step&sort=name&limit=3')) {
    const { links } = cursorListOf(reply);
    const present = Object.entries(links).filter(([, url]) => url !== null);
    expect(linksOf(reply)).toEqual(Object.fromEntries(present));
  }
});
