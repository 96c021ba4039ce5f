// A filtered list can be read in several ways: by walking it in order, or by collecting the matches for one of its filters. All of these
// ways produce the same list, and the cheapest is chosen.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHARED_ROOM } from '../../src/content/answer-limit.ts';
import type { Cursor } from '../../src/listing/cursor.ts';
import { parseListQuery } from '../../src/listing/list-query.ts';
import type { CatalogMemo } from '../../src/storage/delivery-reads.ts';
import { type Gathering, type ListPlan, planList } from '../../src/storage/lists/list-plan.ts';
import { listGatherers } from '../../src/storage/lists/planned-filters.ts';
import { selectCursorPage } from '../../src/storage/lists/select-cursor-page.ts';
import { countAll, selectNumberedPage, startList } from '../../src/storage/lists/select-numbered-page.ts';
import { settlePlan } from '../../src/storage/lists/settle-plan.ts';
import type { Procedure } from '../../src/storage/statement.ts';
import { type Audience, VIEWS } from '../../src/storage/views.ts';
import { author, content, contentType, site } from '../conformance/records.ts';
import { startService, type TestService } from '../support/service.ts';
import { ENGINES } from '../support/test-database.ts';
import { createKey, readVisit } from './editor.ts';
import { TEST_REALM } from './list-runs.ts';

const SITE = 's_filtered';
const OBJECTS = 1200;
/** Larger than a request may ask for, so that a few pages make up the whole list. */
const LIMIT = 241;
const FIELDS = [
  { handle: 'line', type: 'text' },
  { handle: 'rank', type: 'number' },
  { handle: 'kind', type: 'option', options: ['a', 'b', 'c'].map((value) => ({ value, label: value })) },
  { handle: 'lit', type: 'boolean' },
  { handle: 'topics', type: 'content_links' },
];
/** Added after the content, so the content has no stored "off" value for this field. */
const LATE = { handle: 'late', type: 'boolean' };

let service: TestService;
let memo: CatalogMemo;

describe.each(ENGINES)('on %s', (engine) => {
  beforeAll(async () => {
    service = await startService({}, { engine });
    const first = [
      site(SITE, { languages: ['en', 'fr'] }),
      contentType(SITE, 'note', FIELDS),
      contentType(SITE, 'story', FIELDS),
      contentType(SITE, 'topic', []),
      ...['u_one', 'u_two', 'u_few'].map((id) => author(id, id, { site: SITE })),
      ...['paper', 'ink', 'hidden'].map((slug) =>
        content({
          id: `c_${slug}`,
          site: SITE,
          content_type: 'topic',
          slug,
          status: slug === 'hidden' ? 'draft' : 'published',
        }),
      ),
      ...Array.from({ length: OBJECTS }, (_, index) => buildContent(index)),
    ];
    await service.importRecords(first);
    await service.importRecords([
      contentType(SITE, 'note', [...FIELDS, LATE]),
      ...Array.from({ length: 40 }, (_, index) =>
        content({ id: `c_late_${index}`, site: SITE, fields: { late: { is_on: index % 2 === 0 } } }),
      ),
    ]);
    const { token } = await createKey(service.storage);
    const visit = await readVisit(service.storage, token, SITE);
    if (!visit?.memo) throw new Error('The site was not found');
    memo = visit.memo;
  });

  afterAll(async () => {
    await service.close();
  });

  /** Keys repeat and values are missing. Some content is a draft or has a newer version, and some is translated. */
  function buildContent(index: number): object {
    const isEnglish = index % 5 !== 0;
    const values = {
      ...(index % 7 !== 0 && { line: { text: index % 50 === 1 ? 'Rare' : `line ${index % 3}` } }),
      ...(index % 6 !== 0 && { rank: { number: index % 9 } }),
      ...(index % 4 !== 0 && { kind: { selected_option: index % 70 === 1 ? 'c' : index % 2 === 0 ? 'a' : 'b' } }),
      ...(index % 3 !== 0 && { lit: { is_on: index % 2 === 0 } }),
      topics: { content_links: ['c_paper', 'c_ink', 'c_hidden'].filter((_, topic) => index % (topic + 2) === 0) },
    };
    return content({
      id: `c_${(index * 7919) % OBJECTS}`,
      site: SITE,
      content_type: Math.floor(index / 2) % 4 === 3 ? 'story' : 'note',
      author: index % 100 === 0 ? 'u_few' : index % 2 === 0 ? 'u_one' : 'u_two',
      language: isEnglish ? 'en' : 'fr',
      ...(index % 10 === 5 && { translation_of: `c_${((index - 1) * 7919) % OBJECTS}` }),
      slug: `s-${index}`,
      name: `Name ${index % 40}`,
      status: index % 11 === 0 ? 'draft' : 'published',
      ...(index % 11 !== 0 && { published_at: `2024-02-${String((index % 28) + 1).padStart(2, '0')}T00:00:00+00:00` }),
      fields: values,
      ...(index % 13 === 1 && index % 11 !== 0 && { draft: { name: `Changed ${index % 20}` } }),
    });
  }

  interface Asked {
    readonly query: string;
    readonly language?: string;
    readonly audience?: Audience;
  }

  async function settle({ query, language, audience = 'public' }: Asked): Promise<ListPlan> {
    const request = { queryString: query, isSimple: false, language, defaultMatch: 'any', realm: TEST_REALM } as const;
    const parsed = parseListQuery(request, memo.catalog, new Map());
    if (!parsed.ok) throw new Error(parsed.problem);
    const plan = planList(parsed.value.shape, memo.catalog, VIEWS[audience]);
    if (plan === undefined) throw new Error('The list cannot match anything');
    return plan.needsSettling ? read(() => settlePlan(plan, 1)) : plan;
  }

  async function read<Outcome>(procedure: () => Procedure<Outcome>): Promise<Outcome> {
    return service.storage.read(procedure());
  }

  /** The whole list, page by page, forwards and backwards. */
  async function walk(plan: ListPlan): Promise<{ readonly there: string[]; readonly back: string[] }> {
    const there: string[] = [];
    const back: string[] = [];
    let cursor: Cursor | null = null;
    let way: 'there' | 'back' = 'there';
    for (;;) {
      const page = await read(() => selectCursorPage(plan, cursor, SHARED_ROOM));
      if (page?.mode !== 'cursor') throw new Error('The list has no pages');
      const ids = page.rows.map(({ id }) => id);
      if (way === 'there') there.push(...ids);
      else back.unshift(...ids);
      if (way === 'there' && page.next === null) {
        back.unshift(...ids);
        way = 'back';
      }
      const edge = way === 'there' ? page.next : page.previous;
      if (edge === null) return { there, back };
      cursor = { ...edge, isForward: way === 'there' };
    }
  }

  /** The whole list by page numbers, without landmarks, so each page is counted from one end. */
  async function readPages(plan: ListPlan, total: number): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let page = 1; (page - 1) * plan.limit < total; page += 1) {
      const rows = await read(() => selectNumberedPage(plan, page, startList(total)));
      ids.push(...rows.map(([id]) => String(id)));
    }
    return ids;
  }

  const FILTERS = [
    'fields[text][line]=Rare',
    'fields[text][line][]=line 1&fields[text][line][]=line 2',
    'fields[number][rank]=4',
    'fields[selected_option][kind]=c',
    'fields[is_on][lit]=true',
    'fields[is_on][lit]=false&author=u_one',
    'fields[is_on][late]=false&fields[selected_option][kind]=a',
    'fields[content_links][topics][slug][]=paper&fields[content_links][topics][slug][]=ink',
    'fields[content_links][topics][id][]=c_paper&fields[content_links][topics][id][]=c_ink&match=all',
    'fields[content_links][topics][id]=c_hidden',
    'author[]=u_few&author[]=u_two&content_type=story',
    'author=u_two&fields[text][line]=line 1&fields[number][rank]=4',
  ];
  const SORTS = [
    '',
    'sort=name:desc',
    'sort=line.text:asc',
    'sort=rank.number:desc',
    'sort[0]=rank.number:asc&sort[1]=name:desc',
  ];

  describe.each<Omit<Asked, 'query'>>([{}, { audience: 'preview' }, { language: 'fr' }])(
    'a filtered list with the options %j',
    (reader) => {
      test.each(FILTERS)('is the same however it is read: %s', async (filter) => {
        const sorts =
          reader.language === undefined ? SORTS : SORTS.map((sort) => `${sort}&fallback_default_language=true`);
        for (const sort of sorts) {
          const plan = { ...(await settle({ query: `${filter}&${sort}&limit=89`, ...reader })), limit: LIMIT };
          const walked = await walk({ ...plan, gathersBy: null });
          expect(walked.back, sort).toEqual(walked.there);
          expect(new Set(walked.there).size, sort).toBe(walked.there.length);
          const ways: readonly Gathering[] = [...listGatherers(plan.filters), 'all'];
          for (const gathersBy of ways) {
            const gathered = { ...plan, gathersBy };
            expect(await walk(gathered), `${sort} by ${gathersBy}`).toEqual(walked);
            expect(await read(() => countAll(gathered)), `${sort} by ${gathersBy}`).toBe(walked.there.length);
            expect(await readPages(gathered, walked.there.length), `${sort} by ${gathersBy}`).toEqual(walked.there);
          }
          const [gathersBy = 'all'] = ways;
          for (const keepsMost of [true, false]) {
            const many = { ...plan, gathersBy, gathersMany: true, keepsMost };
            expect(await walk(many), `${sort}, many by ${gathersBy}`).toEqual(walked);
          }
        }
      });
    },
  );

  test('every filter matches some content, except the one that requires a link to a draft', async () => {
    for (const filter of FILTERS) {
      const plan = await settle({ query: filter });
      const total = await read(() => countAll(plan));
      expect(total > 0, filter).toBe(!filter.includes('c_hidden'));
    }
  });

  describe('the chosen read strategy', () => {
    test.each<readonly [string, Gathering | null]>([
      ['fields[text][line]=Rare', 0],
      ['fields[is_on][lit]=false', null],
      ['author=u_few&sort=name', 'authors'],
      ['author=u_two&sort=name', null],
      ['author=u_two&fields[text][line]=Rare', 0],
      ['author=u_few&fields[is_on][lit]=false&sort=name', 'authors'],
      ['slug=s-3&author=u_two', 'slugs'],
      ['fields[content_links][topics][id]=c_hidden', 0],
      ['fields[text][line]=line 1&fields[is_on][lit]=false', null],
    ])('depends on the filters: for %s, %s', async (query, expected) => {
      expect((await settle({ query: `${query}&limit=1` })).gathersBy).toBe(expected);
    });

    test('reads all types together unless the request names types, so a type without a match is never read to its end', async () => {
      const query = 'fields[is_on][lit]=false&limit=1';
      expect((await settle({ query })).types).toBeNull();
      expect((await settle({ query: `${query}&content_type=note` })).types).toHaveLength(1);
      expect((await settle({ query: 'fields[is_on][late]=false' })).types).toHaveLength(1);
    });

    test('is not determined again until something changes', async () => {
      const request = { isSimple: false, language: undefined, defaultMatch: 'any', realm: TEST_REALM } as const;
      const parsed = parseListQuery(
        { ...request, queryString: 'fields[content_links][topics][slug]=paper' },
        memo.catalog,
        new Map(),
      );
      const plan = parsed.ok ? planList(parsed.value.shape, memo.catalog, VIEWS.public) : undefined;
      if (plan === undefined) throw new Error('The list cannot match anything');
      const countQueries = async (generation: number): Promise<number> => {
        let queries = 0;
        await read(function* () {
          const procedure = settlePlan(plan, generation);
          let step = procedure.next();
          while (!step.done) {
            queries += 1;
            step = procedure.next(yield step.value);
          }
        });
        return queries;
      };
      expect(await countQueries(1)).toBeGreaterThan(1);
      expect(await countQueries(1)).toBe(0);
      expect(await countQueries(2)).toBeGreaterThan(1);
    });
  });
});
