// A cursor walk must visit each unchanged object exactly once, in order, while other objects are published, unpublished and changed.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BundleRecord, ContentRecord } from '../../oracle/bundle.ts';
import { naiveService } from '../../oracle/naive-service.ts';
import { proofSize, reportProof } from '../../oracle/proof.ts';
import { isObject } from '../../oracle/same-body.ts';
import { type Answer, get } from '../../oracle/service-call.ts';
import { startService, type TestService } from '../../support/service.ts';
import { ENGINES } from '../../support/test-database.ts';

const UNTOUCHED = proofSize(60, 400);
const CHANGING = proofSize(32, 200);
const ROUNDS = proofSize(1, 6);
/** After this many pages, the next change is made while the other walks continue. */
const PAGES_PER_CHANGE = 3;

const SORTS = [
  [],
  ['name:asc'],
  ['name:desc', 'created_at:asc'],
  ['rank.number:desc'],
  ['rank.number:asc', 'title.text:desc'],
  ['title.text:asc', 'published_at:desc', 'name:asc'],
  ['uri:desc'],
  ['updated_at:desc', 'slug:asc'],
];

const SITE: readonly BundleRecord[] = [
  { kind: 'site', id: 's_walk', name: 'Walk', default_language: 'en', languages: ['en'], url: null },
  { kind: 'author', id: 'u_walk', site: 's_walk', name: 'Ada', email: null, profile_photo_url: null },
  {
    kind: 'content_type',
    id: 't_walk',
    site: 's_walk',
    handle: 'post',
    name: 'Post',
    object_type: 'page',
    uri_pattern: 'blog/{slug}',
    fields: [
      { handle: 'title', name: 'Title', type: 'text' },
      { handle: 'rank', name: 'Rank', type: 'number' },
    ],
  },
];

/** There are few distinct values, so most neighbours tie. One object in seven has no rank, and one in five has no title. */
function content(id: string, turn: number): ContentRecord {
  const day = String((turn % 5) + 1).padStart(2, '0');
  return {
    kind: 'content',
    id,
    site: 's_walk',
    content_type: 'post',
    author: 'u_walk',
    language: 'en',
    translation_of: null,
    slug: id.replaceAll('_', '-'),
    name: ['Éa', 'ea', 'Eb', '漢'][turn % 4] ?? '',
    status: 'published',
    published_at: `2024-05-${day}T10:00:00+00:00`,
    created_at: `2024-04-${day}T10:00:00+00:00`,
    updated_at: `2024-06-${day}T10:00:00+00:00`,
    fields: {
      ...(turn % 7 !== 0 && { rank: { number: turn % 3 } }),
      ...(turn % 5 !== 0 && { title: { text: `t${turn % 6}` } }),
    },
  };
}

// The number prefix interleaves the two types in ID order.
const untouched = Array.from({ length: UNTOUCHED }, (_, index) =>
  content(`c_${(index * 37) % 100}_still_${index}`, index),
);
const changing = Array.from({ length: CHANGING }, (_, index) =>
  content(`c_${(index * 53) % 100}_moving_${index}`, index),
);

describe.each(ENGINES)('on %s', (engine) => {
  describe('paging through a list during changes', () => {
    let service: TestService;
    let token: string;

    beforeAll(async () => {
      service = await startService({}, { engine });
      await service.importRecords([...SITE, ...untouched, ...changing]);
      token = (await service.createKey({ sites: ['s_walk'] })).token;
    });

    afterAll(async () => {
      await service.close();
    });

    test('visits every unchanged object exactly once and in order, in both directions', async () => {
      let walks = 0;
      for (let round = 0; round < ROUNDS; round++) {
        for (const sort of SORTS) {
          const expected = orderOfUntouched(sort);
          const limits = [1 + ((round + walks) % 3), 7, 20];
          const walked = await Promise.all(limits.map((limit) => walk(sort, limit)));
          for (const { forth, back } of walked) {
            expect(forth.flat().filter(isUntouched), `forwards by ${sort}`).toEqual(expected);
            expect(back.flat().filter(isUntouched), `backwards by ${sort}`).toEqual(expected);
          }
          walks += walked.length;
        }
      }
      expect(made).toBeGreaterThan(walks);
      reportProof(
        `walks during changes on ${engine}: ${walks} walks both ways, ${pages} pages, during ${made} changes`,
      );
    });

    let pages = 0;
    let made = 0;
    const hidden = new Set<string>();

    /** Publishes an object with other values, unpublishes it, or publishes it again. */
    async function change(): Promise<void> {
      const turn = made++;
      const { id } = changing[(turn * 7) % changing.length] ?? content('', turn);
      const isHidden = hidden.delete(id);
      if (turn % 3 === 0) await service.importRecords([content(id, turn + 1)]);
      else if (isHidden) await service.publish('s_walk', id);
      else {
        hidden.add(id);
        await service.unpublish('s_walk', id);
      }
    }

    /** The IDs in each set, on the way to the end (following `next`) and back to the start (following `prev`). */
    async function walk(sort: readonly string[], limit: number): Promise<Record<'forth' | 'back', string[][]>> {
      const query = new URLSearchParams({ limit: String(limit) });
      for (const value of sort) query.append('sort[]', value);
      const forth: string[][] = [];
      const back: string[][] = [];
      let answer = await fetchList(`${service.url}/api/v1/content?${query}`);
      forth.push(idsOf(answer));
      while (answer.links.next !== undefined) {
        answer = await fetchList(answer.links.next);
        forth.push(idsOf(answer));
      }
      back.unshift(idsOf(answer));
      while (answer.links.prev !== undefined) {
        answer = await fetchList(answer.links.prev);
        back.unshift(idsOf(answer));
      }
      return { forth, back };
    }

    async function fetchList(url: string): Promise<Answer> {
      const answer = await get(url, token, { 'x-service-site': 's_walk' });
      expect(answer.status, answer.text).toBe(200);
      pages += 1;
      if (pages % PAGES_PER_CHANGE === 0) await change();
      return answer;
    }
  });

  describe('removing the last objects while a client pages through a list', () => {
    let service: TestService;
    let token: string;
    const site = { 'x-service-site': 's_walk' };

    beforeAll(async () => {
      service = await startService({}, { engine });
      await service.importRecords([...SITE, ...Array.from({ length: 9 }, (_, index) => content(`c_${index}`, 0))]);
      token = (await service.createKey({ sites: ['s_walk'] })).token;
    });

    afterAll(async () => {
      await service.close();
    });

    test('results in an empty set that still has a link to the previous set', async () => {
      const first = await get(`${service.url}/api/v1/content?limit=3`, token, site);
      const second = await get(first.links.next ?? '', token, site);
      for (const id of ['c_6', 'c_7', 'c_8']) await service.unpublish('s_walk', id);
      const third = await get(second.links.next ?? '', token, site);
      expect([third.status, idsOf(third), third.links.next]).toEqual([200, [], undefined]);
      const again = await get(third.links.prev ?? '', token, site);
      expect(idsOf(again)).toEqual(['c_3', 'c_4', 'c_5']);

      for (const id of ['c_0', 'c_1', 'c_2']) await service.unpublish('s_walk', id);
      const start = await get(again.links.prev ?? second.links.prev ?? '', token, site);
      expect([start.status, idsOf(start), start.links.prev]).toEqual([200, [], undefined]);
      expect(idsOf(await get(start.links.next ?? '', token, site))).toEqual(['c_3', 'c_4', 'c_5']);
    });
  });
});

function orderOfUntouched(sort: readonly string[]): readonly string[] {
  const answer = naiveService([...SITE, ...untouched]).answer({
    path: '/api/v1/content',
    pairs: sort.map((value) => ['sort[]', value]),
    headers: { 'x-service-site': 's_walk' },
    key: { sites: 'all', mayPreview: false },
  });
  return answer.kind === 'list' ? answer.bodies.map((body) => body.id) : [];
}

function isUntouched(id: string): boolean {
  return id.includes('_still_');
}

function idsOf({ body }: Answer): string[] {
  const objects = isObject(body) && Array.isArray(body.data) ? body.data : [body];
  return objects.map((object) => (isObject(object) ? String(object.id) : ''));
}
