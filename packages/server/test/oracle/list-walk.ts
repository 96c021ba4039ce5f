// Walks a whole list over HTTP and compares every page with the oracle: objects, envelope, and links in both directions.

import { canonicalUrl, expectedSimplePage, type ListAddress, lastPage, setOf } from './naive-pages.ts';
import type { ExpectedList } from './naive-service.ts';
import { type BodyComparison, expectSameText, isObject } from './same-body.ts';
import type { Answer } from './service-call.ts';

interface WalkedList {
  readonly list: ExpectedList;
  readonly address: ListAddress;
  /** The original request, used to start the walk and shown in failure messages. */
  readonly url: string;
  readonly comparison: BodyComparison;
  get(url: string): Promise<Answer>;
}

interface WalkCount {
  readonly pages: number;
  readonly objects: number;
}

/** Follows `next` to the end of the list, `prev` back to the start, and then `next` once more. */
export async function walkByCursor(walked: WalkedList): Promise<WalkCount> {
  const last = lastPage(walked.list) - 1;
  const forth = Array.from({ length: last + 1 }, (_, index) => index);
  const way = [...forth, ...forth.toReversed().slice(1), ...(last > 0 ? [1] : [])];
  let url = walked.url;
  let objects = 0;
  for (const [step, index] of way.entries()) {
    const { prev, next } = expectCursorSet(walked, index, await walked.get(url), `${walked.url} set ${index}`);
    objects += setOf(walked.list, index).length;
    url = ((way[step + 1] ?? 0) > index ? next : prev) ?? '';
  }
  return { pages: way.length, objects };
}

interface CursorLinks {
  readonly prev: string | null;
  readonly next: string | null;
}

function expectCursorSet(
  { list, address, comparison }: WalkedList,
  index: number,
  answer: Answer,
  where: string,
): CursorLinks {
  expectSameText(`${where} status`, String(answer.status), '200');
  const { prev = null, next = null, ...others } = answer.links;
  expectSameText(`${where} other Link relations`, JSON.stringify(others), '{}');
  expectSameText(`${where} has prev`, String(prev !== null), String(index > 0));
  expectSameText(`${where} has next`, String(next !== null), String(index < lastPage(list) - 1));
  for (const url of [prev, next]) if (url !== null) expectSameParameters(url, address, where);

  const set = setOf(list, index);
  if (set.length === 1) {
    comparison.expectSame(where, [answer.body], set);
    return { prev, next };
  }
  const { data, ...envelope } = isObject(answer.body) ? answer.body : {};
  comparison.expectSame(where, data, set);
  expectSameText(`${where} first member`, answer.text.slice(0, 8), '{"data":');
  const meta = {
    path: address.path,
    per_page: list.limit,
    next_cursor: cursorOf(next),
    prev_cursor: cursorOf(prev),
  };
  const expected = { links: { first: null, last: null, prev, next }, meta };
  expectSameText(`${where} envelope`, JSON.stringify(envelope), JSON.stringify(expected));
  return { prev, next };
}

function cursorOf(url: string | null): string | null {
  return url === null ? null : new URL(url).searchParams.get('cursor');
}

/** Checks that a link sets the cursor and keeps all other parameters in their order. */
function expectSameParameters(url: string, address: ListAddress, where: string): void {
  const { origin, pathname, searchParams } = new URL(url);
  const kept = [...searchParams].filter(([name]) => name !== 'cursor');
  const cursors = searchParams.getAll('cursor');
  const given = address.pairs.filter(([name]) => name !== 'cursor');
  expectSameText(`${where} link path`, `${origin}${pathname}`, address.path);
  expectSameText(`${where} link parameters`, JSON.stringify(kept), JSON.stringify(given));
  expectSameText(`${where} cursors in a link`, String(cursors.length), '1');
  if (!/^[\w.~-]{1,1024}$/.test(cursors[0] ?? '')) throw new Error(`${where}: not a URL-safe cursor: ${cursors[0]}`);
}

/** Follows `next` through every page and `prev` back again, and requests one page past the end. */
export async function walkByPage(walked: WalkedList): Promise<WalkCount> {
  const last = lastPage(walked.list);
  const forth = Array.from({ length: last }, (_, index) => index + 1);
  const way = [...forth, ...forth.toReversed().slice(1)];
  let url = walked.url;
  for (const [step, page] of way.entries()) {
    const answer = await walked.get(url);
    expectPage(walked, page, answer);
    url = ((way[step + 1] ?? 0) > page ? answer.links.next : answer.links.prev) ?? '';
  }
  const beyond = expectedSimplePage(walked.list, last + 1, walked.address);
  expectPage(walked, last + 1, await walked.get(beyond.links.first?.replace(/page=1$/, `page=${last + 1}`) ?? ''));
  const sizes = way.map((page) => setOf(walked.list, page - 1).length);
  return { pages: way.length + 1, objects: sizes.reduce((sum, size) => sum + size, 0) };
}

function expectPage({ list, address, comparison, url }: WalkedList, page: number, answer: Answer): void {
  const where = `${url} page ${page}`;
  const { bodies, links, meta } = expectedSimplePage(list, page, address);
  expectSameText(`${where} status`, String(answer.status), '200');
  const expectedLinks = ['first', 'prev', 'next', 'last'].map(
    (name) => `${name} ${Object.entries(links).find(([each]) => each === name)?.[1]}`,
  );
  const foundLinks = ['first', 'prev', 'next', 'last'].map((name) => `${name} ${canonicalOrNull(answer.links[name])}`);
  expectSameText(`${where} Link header`, foundLinks.join('\n'), expectedLinks.join('\n'));
  if (bodies.length === 1) {
    comparison.expectSame(where, [answer.body], bodies);
    return;
  }
  const { data, ...envelope } = isObject(answer.body) ? answer.body : {};
  comparison.expectSame(where, data, bodies);
  expectSameText(`${where} first member`, answer.text.slice(0, 8), '{"data":');
  const found = JSON.stringify(envelope, (name, value) =>
    name !== 'path' && isUrl(value) ? canonicalUrl(value, 'page') : value,
  );
  expectSameText(`${where} envelope`, found, JSON.stringify({ links, meta }));
}

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('http');
}

function canonicalOrNull(url: string | undefined): string | null {
  return url === undefined ? null : canonicalUrl(url, 'page');
}
