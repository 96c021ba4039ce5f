// List filters: how values are written, how they combine, and what each one matches.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../support/test-database.ts';
import { LISTED, RECORDS } from './fixture.ts';
import { cursorListOf, errorOf, idsOf, openReader, type Reader } from './reader.ts';
import { content, PRESS } from './records.ts';

let reader: Reader;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    reader = await openReader(RECORDS, {}, { engine });
  });

  afterAll(() => reader.close());

  /** The ids in a list, sorted, because these tests only check which content matches. */
  async function matches(query: string): Promise<readonly string[]> {
    return [...idsOf(await reader.list(`${query}&limit=100`))].sort();
  }

  async function refusal(query: string): Promise<string> {
    const [status, message] = errorOf(await reader.list(query));
    expect(status, query).toBe(422);
    return message;
  }

  test('returns all published content in the default language if there are no filters', async () => {
    expect(await matches('')).toEqual([...LISTED].sort());
  });

  test('returns an envelope with data, links and meta, in that order', async () => {
    const { body } = await reader.list();
    expect(Object.keys(body ?? {})).toEqual(['data', 'links', 'meta']);
  });

  test('returns an empty list when nothing matches', async () => {
    for (const query of ['slug=nothing', 'author=u_nobody', 'content_type=nothing', 'content_type_id=t_nothing']) {
      const list = cursorListOf(await reader.list(query));
      expect(list.data).toEqual([]);
      expect(list.links).toEqual({ first: null, last: null, prev: null, next: null });
      expect(list.meta).toMatchObject({ per_page: 20, next_cursor: null, prev_cursor: null });
    }
  });

  test('filters by author id', async () => {
    expect(await matches('author=u_ada')).toEqual(['c_full', 'c_note_sky', 'c_pending']);
    expect(await matches('author=u_bo')).toEqual(['c_linked', 'c_note_sea']);
    expect(await matches('author=Ada')).toEqual([]);
  });

  test('filters by content type handle', async () => {
    expect(await matches('content_type=note')).toEqual(['c_note_sea', 'c_note_sky']);
    expect(await matches('content_type=Note')).toEqual([]);
    expect(await matches('content_type=t_note')).toEqual([]);
  });

  test('filters by content type id', async () => {
    expect(await matches('content_type_id=t_note')).toEqual(['c_note_sea', 'c_note_sky']);
    expect(await matches('content_type_id=note')).toEqual([]);
  });

  test('filters by slug, which several content types may share', async () => {
    expect(await matches('slug=full')).toEqual(['c_full']);
    expect(await matches('slug=sky')).toEqual(['c_note_sky', 'c_person_sky']);
    expect(await matches('slug=Sky')).toEqual([]);
    expect(await matches('slug=sky&content_type=person')).toEqual(['c_person_sky']);
  });

  test('accepts all array syntaxes, with raw or percent-encoded brackets', async () => {
    const spellings = [
      'slug[0]=full&slug[1]=bare',
      'slug[1]=full&slug[0]=bare',
      'slug[]=full&slug[]=bare',
      'slug%5B0%5D=full&slug%5B1%5D=bare',
      'slug%5b%5d=full&slug%5b%5d=bare',
      'slug=full&slug=bare',
      'slug[7]=full&slug[90]=bare',
      'slug[0]=full&slug[0]=bare',
      'slug=full&slug[]=bare',
      '%73lug=full&s%6Cug=bare',
      'slug=full&other[deep][er]=1&slug=bare',
    ];
    for (const spelling of spellings) {
      expect(await matches(`${spelling}&match=any`), spelling).toEqual(['c_bare', 'c_full']);
      expect(await matches(spelling), spelling).toEqual([]);
    }
    for (const spelling of ['slug=full', 'slug[]=full', 'slug[0]=full', 'slug[3]=full', 'slug%5B%5D=full']) {
      expect(await matches(spelling), spelling).toEqual(['c_full']);
    }
  });

  test('decodes percent-encoded values and reads a plus sign as a space', async () => {
    expect(await matches('slug=%66ull')).toEqual(['c_full']);
    expect(await matches('fields[text][headline]=Linked+story')).toEqual(['c_linked', 'c_note_sea']);
    expect(await matches('fields[text][headline]=Linked%20story')).toEqual(['c_linked', 'c_note_sea']);
    expect(await matches('fields%5Btext%5D%5Bheadline%5D=Full%0Astory')).toEqual(['c_full']);
  });

  test('ends a parameter name at the first equals sign, whatever the value contains', async () => {
    for (const value of ['full]=x', 'full%5D=x', 'a[b]=c', '=full', 'full=', 'x]=y&slug[0]=x]=y']) {
      expect(await matches(`slug=${value}`), value).toEqual([]);
    }
  });

  test('combines several values of one parameter with AND, so two different values match nothing', async () => {
    for (const [name, first, second] of [
      ['slug', 'full', 'bare'],
      ['author', 'u_ada', 'u_bo'],
      ['content_type', 'note', 'article'],
      ['content_type_id', 't_note', 't_article'],
    ] as const) {
      expect(await matches(`${name}[0]=${first}&${name}[1]=${second}`), name).toEqual([]);
      expect(await matches(`${name}=${first}&${name}=${second}&match=all`), name).toEqual([]);
    }
  });

  test('counts a repeated value once', async () => {
    expect(await matches('slug[]=full&slug[]=full')).toEqual(['c_full']);
    expect(await matches('content_type=note&content_type=note')).toEqual(['c_note_sea', 'c_note_sky']);
    expect(await matches('fields[number][rank]=7&fields[number][rank]=7.0')).toEqual([
      'c_full',
      'c_note_sea',
      'c_pending',
    ]);
  });

  test('matches any value with match=any', async () => {
    expect(await matches('slug[]=full&slug[]=sky&match=any')).toEqual(['c_full', 'c_note_sky', 'c_person_sky']);
    expect(await matches('author=u_ada&author=u_bo&author=u_nobody&match=any')).toEqual([
      'c_full',
      'c_linked',
      'c_note_sea',
      'c_note_sky',
      'c_pending',
    ]);
    expect(await matches('content_type=note&content_type=person&match=any')).toHaveLength(3);
    expect(await matches('content_type_id=t_note&content_type_id=t_person&match=any')).toHaveLength(3);
  });

  test('rejects any other value for match', async () => {
    for (const value of ['', 'some', 'ANY', 'or']) {
      expect(await refusal(`match=${value}`)).toBe(`The match parameter is "${value}"; all and any are allowed.`);
    }
  });

  test('combines different parameters with AND, even with match=any', async () => {
    for (const match of ['', '&match=any']) {
      expect(await matches(`author=u_ada&content_type=note${match}`)).toEqual(['c_note_sky']);
      expect(await matches(`content_type=note&content_type_id=t_article${match}`)).toEqual([]);
      expect(await matches(`slug=sky&author=u_ada&fields[number][rank]=2.5${match}`)).toEqual(['c_note_sky']);
      expect(
        await matches(`fields[number][rank]=7&fields[text][headline]=As published${match}`.replace(' ', '%20')),
      ).toEqual(['c_pending']);
    }
  });

  test('rejects an empty filter value in every syntax', async () => {
    for (const name of ['author', 'content_type', 'content_type_id', 'slug', 'fields[text][headline]']) {
      const message = `The ${name} parameter is empty; give it a value or leave it out.`;
      for (const syntax of [
        `${name}=`,
        name,
        `${name}[]=`,
        `${name}[]`,
        `${name}=x&${name}=`,
        `${name}[0]=&${name}[1]=x`,
      ]) {
        expect(await refusal(syntax), syntax).toBe(message);
        expect(await refusal(`${syntax}&match=any`), syntax).toBe(message);
      }
    }
  });

  test('treats an empty cursor, page, limit or sort as absent', async () => {
    for (const query of ['cursor=', 'page=', 'limit=', 'sort=', 'sort[]=', 'cursor', 'limit&sort&page&cursor']) {
      expect(idsOf(await reader.list(query)), query).toEqual(idsOf(await reader.list()));
      expect(cursorListOf(await reader.list(query)).meta.per_page).toBe(20);
    }
  });

  test('ignores unknown parameters, however many there are and however deeply they are nested', async () => {
    const unknown = [
      'utm_source=x',
      'SLUG=full',
      'slugs=full',
      '[slug]=full',
      'x[a][b][c][d][e][f][g][h][i]=1',
      'x'.repeat(500),
      '&&&===&=&',
      '__proto__[slug]=full',
      'constructor[prototype][limit]=1',
      '%zz=%zz',
      '%ff=%00',
      'filter[slug]=full',
      Array.from({ length: 1500 }, (_, index) => `a${index % 10}`).join('&'),
      Array.from({ length: 3000 }, () => 'a').join('&'),
    ];
    const everything = idsOf(await reader.list());
    for (const query of unknown) expect(idsOf(await reader.list(query)), query).toEqual(everything);
  });

  test('accepts up to 100 values for one parameter and rejects more', async () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => `slug[]=s${index}`).join('&');
    expect(await matches(`${values(99)}&slug[]=full&match=any`)).toEqual(['c_full']);
    expect(await refusal(`${values(100)}&slug[]=full&match=any`)).toBe(
      'The slug parameter has 101 values; at most 100 are allowed.',
    );
    const numbers = Array.from({ length: 101 }, (_, index) => `fields[number][rank]=${index}`).join('&');
    expect(await refusal(`${numbers}&match=any`)).toBe(
      'The fields[number][rank] parameter has 101 values; at most 100 are allowed.',
    );
  });

  test('rejects named brackets in a simple parameter', async () => {
    for (const name of ['author', 'content_type', 'content_type_id', 'slug', 'sort']) {
      for (const query of [`${name}[a]=full`, `${name}[0][a]=full`, `${name}=full&${name}[a]=full`]) {
        expect(await refusal(query), query).toBe(`The ${name} parameter takes one value or a list of values.`);
      }
    }
  });

  test('rejects brackets nested deeper than any parameter needs', async () => {
    expect(await refusal('slug[0][0][0][0][0][0][0]=x')).toBe(
      'The query nests brackets too deeply; at most 5 levels are allowed.',
    );
  });

  test('reflects publishing and unpublishing in lists as soon as the call has returned', async () => {
    const { service } = reader;
    await service.importRecords([content({ id: 'c_flip', slug: 'flip', status: 'draft' })]);
    for (let round = 0; round < 3; round++) {
      expect(await matches('slug=flip')).toEqual([]);
      await service.publish(PRESS, 'c_flip');
      expect(await matches('slug=flip')).toEqual(['c_flip']);
      await service.unpublish(PRESS, 'c_flip');
    }
  });
});
