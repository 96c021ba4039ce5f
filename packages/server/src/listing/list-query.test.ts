import { describe, expect, test } from 'vitest';
import { CATALOG } from './catalog.fixture.ts';
import { CursorKey, encodeCursor } from './cursor.ts';
import { type ListRequest, parseListQuery, parseObjectQuery } from './list-query.ts';
import { DEFAULT_SORTS } from './sort.ts';

const MEMO = new Map();
const REALM = { key: new CursorKey(Buffer.alloc(32, 7)), siteId: 's_one', audience: 'public' };

function parse(queryString: string, parts: Partial<ListRequest> = {}) {
  const defaults = { isSimple: false, language: undefined, defaultMatch: 'all', realm: REALM } as const;
  const request = { queryString, ...defaults, ...parts };
  return parseListQuery(request, CATALOG, MEMO);
}

function query(queryString: string, parts: Partial<ListRequest> = {}) {
  const parsed = parse(queryString, parts);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

function problem(queryString: string, parts: Partial<ListRequest> = {}): string | undefined {
  const parsed = parse(queryString, parts);
  return parsed.ok ? undefined : parsed.problem;
}

describe('a list query', () => {
  test('has defaults for everything', () => {
    expect(query('')).toEqual({
      shape: {
        languages: { language: 'en', fallback: null },
        filters: { typeNos: null, authorIds: null, slugs: null, fields: [] },
        hasSlugFilter: false,
        sorts: DEFAULT_SORTS,
        limit: 20,
      },
      paging: { mode: 'cursor', cursor: null },
    });
    expect(query('', { isSimple: true }).paging).toEqual({ mode: 'simple', page: 1 });
  });

  test('has the same shape for all pages of a list, and a different one for other lists and languages', () => {
    const { shape } = query('limit=5&utm=1');
    expect(query('utm=2&limit=5').shape).toBe(shape);
    expect(query('limit=5&page=3', { isSimple: true }).shape).toBe(shape);
    expect(query('limit=6').shape).not.toBe(shape);
    expect(query('limit=5', { language: 'fr' }).shape).not.toBe(shape);
    expect(query('limit=5', { defaultMatch: 'any' }).shape).not.toBe(shape);
  });

  test('cannot be changed by the code that uses it', () => {
    expect(Object.isFrozen(query('limit=5'))).toBe(true);
    expect(Object.isFrozen(query('limit=5').shape)).toBe(true);
  });

  test('identifies content types by their numbers', () => {
    expect(query('content_type=note').shape.filters?.typeNos).toEqual([2]);
    expect(query('content_type_id=t_note').shape.filters?.typeNos).toEqual([2]);
    expect(query('content_type=note&content_type_id=t_note').shape.filters?.typeNos).toEqual([2]);
    expect(query('content_type=note&content_type=article&match=any').shape.filters?.typeNos).toEqual([1, 2]);
  });

  test('matches nothing if no object can match its filters', () => {
    for (const text of [
      'content_type=nothing',
      'content_type=note&content_type=article',
      'content_type=note&content_type_id=t_article',
      'slug=a&slug=b',
      'author=a&author=b',
      'fields[text][title]=a&fields[text][title]=b',
    ]) {
      expect(query(text).shape.filters, text).toBe(null);
    }
    expect(query('slug=a&slug=b', { defaultMatch: 'any' }).shape.filters?.slugs).toEqual(['a', 'b']);
    expect(query('slug=a&slug=b&match=all', { defaultMatch: 'any' }).shape.filters).toBe(null);
  });

  test('reports an invalid parameter even if nothing can match', () => {
    expect(problem('slug=a&slug=b&limit=0')).toContain('limit');
    expect(problem('content_type=nothing&sort=nothing')).toContain('sort');
  });

  test.each([
    ['1', 1],
    ['100', 100],
    ['007', 7],
    ['', 20],
  ])('reads a limit of %s as %i', (text, limit) => {
    expect(query(`limit=${text}`).shape.limit).toBe(limit);
  });

  test.each(['0', '101', '-1', '1.0', '1e1', 'x', '99999999999999999999', '%201'])('rejects a limit of %s', (text) => {
    expect(problem(`limit=${text}`)).toMatch(/^The limit parameter is ".*"; an integer from 1 to 100 is allowed\.$/);
  });

  test('reads the page in simple mode only, and the cursor in cursor mode only', () => {
    const edge = { position: { id: 'c_1', keys: [5] }, isInclusive: false };
    const cursor = encodeCursor(edge, true, DEFAULT_SORTS, REALM);
    expect(query(`page=3&cursor=${cursor}`, { isSimple: true }).paging).toEqual({ mode: 'simple', page: 3 });
    expect(query(`page=x&cursor=${cursor}`).paging).toMatchObject({
      mode: 'cursor',
      cursor: { isForward: true, position: { id: 'c_1', keys: [5] } },
    });
    expect(query('cursor=x', { isSimple: true }).paging).toEqual({ mode: 'simple', page: 1 });
    expect(problem('cursor=x')).toBe('The cursor is invalid.');
    expect(problem(`cursor=${cursor}&sort=name`)).toBe('The cursor is invalid.');
    expect(problem('page=0', { isSimple: true })).toContain('page');
  });

  test('falls back to the default language only if another one was requested', () => {
    const fallback = 'fallback_default_language=true';
    expect(query('', { language: 'fr' }).shape.languages).toEqual({ language: 'fr', fallback: null });
    expect(query(fallback, { language: 'fr' }).shape.languages).toEqual({ language: 'fr', fallback: 'en' });
    expect(query(fallback, { language: 'en' }).shape.languages).toEqual({ language: 'en', fallback: null });
    expect(query(fallback).shape.languages).toEqual({ language: 'en', fallback: null });
    expect(problem('', { language: 'de' })).toBe('The site does not have the language "de"; it has en, fr.');
  });
});

describe('an object query', () => {
  test('has no language by default, and returns the record with the given id', () => {
    const languages = (queryString: string, language?: string) => {
      const parsed = parseObjectQuery({ queryString, language }, CATALOG);
      return parsed.ok ? parsed.value : parsed.problem;
    };
    expect(languages('')).toBe(null);
    expect(languages('fallback_default_language=true')).toBe(null);
    expect(languages('', 'fr')).toEqual({ language: 'fr', fallback: null });
    expect(languages('fallback_default_language=1', 'fr')).toEqual({ language: 'fr', fallback: 'en' });
    expect(languages('fallback_default_language=x')).toContain('fallback_default_language');
    expect(languages('', 'de')).toContain('"de"');
    expect(languages('limit=0&sort=x&slug=')).toBe(null);
  });
});

describe('fetching an object by id', () => {
  test.each(['slug=%ff', 'sort[a][b][c][d][e][f][g]=1', 'cursor=%00', 'limit=0'])('ignores %s', (queryString) => {
    expect(parseObjectQuery({ queryString, language: undefined }, CATALOG).ok).toBe(true);
  });
});
