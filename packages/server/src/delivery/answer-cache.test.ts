import { describe, expect, test } from 'vitest';
import { FreshAnswer } from './answer.ts';
import { AnswerCache } from './answer-cache.ts';
import { AnswerKey } from './delivery-request.ts';

const MB = 1024 * 1024;

function answer(body: string): FreshAnswer {
  return new FreshAnswer({ body, isAscii: true, validator: 'v', link: undefined }, []);
}

function key(variant: string, { siteId = 's_1', generation = 1 } = {}): AnswerKey {
  return new AnswerKey(
    siteId,
    generation,
    { kind: 'cursors', language: undefined, baseUrl: 'https://content.example' },
    variant,
  );
}

function bodyOf(found: ReturnType<AnswerCache['find']>): string | undefined {
  const form = found?.form(undefined);
  return form === undefined || form instanceof Promise ? undefined : String(form.body);
}

describe('the response cache', () => {
  test('finds a response only if all parts of its key match', () => {
    const cache = new AnswerCache(MB);
    cache.keep(key('a'), answer('body'));
    expect(bodyOf(cache.find(key('a')))).toBe('body');
    for (const other of [key('b'), key('a', { siteId: 's_2' }), key('a', { generation: 2 })]) {
      expect(cache.find(other)).toBeUndefined();
    }
    expect(cache.figures).toMatchObject({ hits: 1, misses: 0, entries: 1 });
  });

  test('returns the same body as text and as bytes, whether it is short or long', () => {
    const cache = new AnswerCache(8 * MB);
    for (const body of ['short', 'x'.repeat(100_000)]) {
      cache.keep(key(body), answer(body));
      expect(bodyOf(cache.find(key(body)))).toBe(body);
      expect(bodyOf(cache.find(key(body)))).toBe(body);
    }
  });

  test('stays within its size limit, counting compressed forms', async () => {
    const cache = new AnswerCache(MB);
    for (let index = 0; index < 2000; index += 1) {
      const each = key(`v${index}`);
      cache.keep(each, answer(`${index}`.repeat(500)));
      await cache.find(each)?.form('gzip');
      expect(cache.figures.bytes).toBeLessThanOrEqual(MB);
    }
    expect(cache.figures.entries).toBeGreaterThan(100);
  });

  test('counts a compressed form as part of its response', async () => {
    const cache = new AnswerCache(MB);
    cache.keep(key('a'), answer('random text '.repeat(500)));
    const kept = cache.find(key('a'));
    const before = cache.figures.bytes;
    await kept?.form('gzip');
    expect(cache.figures.bytes).toBeGreaterThan(before);
    expect(cache.figures.entries).toBe(1);
  });

  test('does not evict frequently requested responses to make room for responses that are requested only once', () => {
    const cache = new AnswerCache(MB);
    const favourite = key('favourite');
    cache.keep(favourite, answer('x'.repeat(10_000)));
    cache.find(favourite);
    for (let index = 0; index < 5000; index += 1) cache.keep(key(`once ${index}`), answer('y'.repeat(10_000)));
    expect(cache.figures.bytes).toBeLessThan(MB / 4);
    expect(cache.find(favourite)).toBeDefined();
  });

  test('stores a response immediately if it was requested before, even in an earlier generation', () => {
    const cache = new AnswerCache(MB);
    cache.keep(key('page'), answer('old'));
    cache.keep(key('page', { generation: 2 }), answer('new'));
    for (let index = 0; index < 2000; index += 1) cache.keep(key(`once ${index}`), answer('y'.repeat(5000)));
    expect(bodyOf(cache.find(key('page', { generation: 2 })))).toBe('new');
    expect(cache.find(key('page'))).toBeUndefined();
  });

  test('does not store the pages requested by a client that reads through a large list', () => {
    const cache = new AnswerCache(16 * MB);
    for (let index = 0; index < 100; index += 1) cache.keep(key(`page ${index}`), answer('x'.repeat(200_000)));
    expect(cache.figures.bytes).toBeLessThan(MB);
    expect(cache.find(key('page 99'))).toBeDefined();
  });

  test('stores a large response immediately', () => {
    const cache = new AnswerCache(16 * MB);
    cache.keep(key('large'), answer('x'.repeat(MB)));
    expect(cache.find(key('large'))).toBeDefined();
  });

  test('does not store a response that would fill the cache', () => {
    const cache = new AnswerCache(MB);
    cache.keep(key('large'), answer('x'.repeat(MB / 4)));
    cache.keep(key('large'), answer('x'.repeat(MB / 4)));
    expect(cache.find(key('large'))).toBeUndefined();
  });

  test('gives URLs with ignored parameters at most an eighth of its space', () => {
    const cache = new AnswerCache(MB);
    const ordinary = ['/list?limit=2', '/list?sort[]=name&limit=3', '/list'];
    for (const url of ordinary) for (const _ of [1, 2]) cache.keep(key(url), answer('x'.repeat(1000)));
    const before = cache.figures.bytes;
    for (const parameter of ['cb', 'page', 'Limit', '', 'limit%00']) {
      for (let index = 0; index < 1000; index += 1) {
        for (const _ of [1, 2]) cache.keep(key(`/list?limit=2&${parameter}=${index}`), answer('y'.repeat(1000)));
      }
    }
    expect(cache.figures.bytes - before).toBeLessThanOrEqual(MB / 8);
    for (const url of ordinary) expect(cache.find(key(url))).toBeDefined();
    expect(cache.find(key('/list?limit=2&limit%00=999'))).toBeDefined();
  });

  test('stores nothing if its size is 0', () => {
    const cache = new AnswerCache(0);
    cache.keep(key('a'), answer('body'));
    expect(cache.find(key('a'))).toBeUndefined();
    expect(cache.figures).toEqual({ hits: 0, misses: 0, entries: 0, bytes: 0, mostBytes: 0 });
  });
});
