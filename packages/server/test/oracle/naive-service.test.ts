// Other tests compare the service with the oracle, so these tests check the oracle itself against results worked out by hand.

import { describe, expect, test } from 'vitest';
import type { BundleRecord, ContentRecord } from './bundle.ts';
import { runSeeded } from './draw.ts';
import { expectedSimplePage } from './naive-pages.ts';
import type { Pair } from './naive-query.ts';
import { type ExpectedAnswer, naiveService } from './naive-service.ts';
import { drawListRequest } from './random-request.ts';
import { drawBundle } from './random-site.ts';

const SITE: readonly BundleRecord[] = [
  {
    kind: 'site',
    id: 's_1',
    name: 'One',
    default_language: 'en',
    languages: ['en', 'fr'],
    url: 'https://example.com/',
  },
  { kind: 'site', id: 's_2', name: 'Two', default_language: 'en', languages: ['en'], url: null },
  { kind: 'author', id: 'u_1', site: 's_1', name: 'Ada', email: null, profile_photo_url: null },
  {
    kind: 'content_type',
    id: 't_1',
    site: 's_1',
    handle: 'post',
    name: 'Post',
    object_type: 'page',
    uri_pattern: '{language}/blog/{slug}',
    fields: [
      { handle: 'title', name: 'Title', type: 'text' },
      { handle: 'related', name: 'Related', type: 'content_links' },
    ],
  },
  { kind: 'content_type', id: 't_2', site: 's_1', handle: 'note', name: 'Note', object_type: 'entry', fields: [] },
];

function content(id: string, changes: Partial<ContentRecord> = {}): ContentRecord {
  return {
    kind: 'content',
    id,
    site: 's_1',
    content_type: 'post',
    author: 'u_1',
    language: 'en',
    translation_of: null,
    slug: id,
    name: id,
    status: 'published',
    published_at: '2024-05-01T12:00:00+02:00',
    created_at: '2024-05-01T10:00:00+00:00',
    updated_at: '2024-05-01T10:00:00+00:00',
    fields: {},
    ...changes,
  };
}

function ask(contents: readonly ContentRecord[], pairs: readonly Pair[], headers = {}, path = ''): ExpectedAnswer {
  return naiveService([...SITE, ...contents]).answer({
    path: `/api/v1/content${path}`,
    pairs,
    headers: { 'x-service-site': 's_1', ...headers },
    key: { sites: ['s_1'], mayPreview: true },
  });
}

function listedIds(contents: readonly ContentRecord[], pairs: readonly Pair[], headers = {}): readonly string[] {
  const answer = ask(contents, pairs, headers);
  return answer.kind === 'list' ? answer.bodies.map((body) => body.id) : [];
}

describe('the oracle', () => {
  test('renders an object with every property in order', () => {
    const contents = [
      content('c_1', {
        name: 'Hello',
        fields: { title: { text: 'T' }, related: { content_links: ['c_3', 'c_2', 'c_9'] } },
      }),
      content('c_2', { language: 'fr', fields: { related: { content_links: ['c_1', 'c_3'] } } }),
      content('c_3', { status: 'draft' }),
      content('c_9', { site: 's_2', content_type: 'other' }),
    ];
    const answer = ask(contents, [], {}, '/c_1');
    const text = (handle: string, name: string, value: string | null) =>
      `"${handle}":{"id":"field:t_1:${handle}","name":"${name}","handle":"${handle}","help_text":null,"type":"text","text":${JSON.stringify(value)}}`;
    const links = (value: string) =>
      `"related":{"id":"field:t_1:related","name":"Related","handle":"related","help_text":null,"type":"content_links","content_links":[${value}]}`;
    const linked =
      '{"sort":1,"content_link":{"id":"c_2","published_at":"2024-05-01T10:00:00+00:00","name":"c_2","slug":"c_2",' +
      `"uri":"fr/blog/c_2","url":"https://example.com/fr/blog/c_2","fields":{${text('title', 'Title', null)},${links('"c_1"')}}}}`;
    expect(answer.kind === 'object' && JSON.stringify(answer.body)).toBe(
      '{"id":"c_1","published_at":"2024-05-01T10:00:00+00:00","slug":"c_1","name":"Hello","uri":"blog/c_1",' +
        '"url":"https://example.com/blog/c_1","language":"en",' +
        '"author":{"id":"u_1","name":"Ada","email":null,"profile_photo_url":null},' +
        '"content_type":{"id":"t_1","name":"Post","handle":"post","object_type":"page"},' +
        '"seo":{"title":"Hello","description":null,"robots":null,"canonical_url":null,"open_graph":{"title":null,' +
        '"description":null,"image_secure_url":null,"image_width":null,"image_height":null,"image_alt":null,' +
        '"url":"https://example.com/blog/c_1"}},' +
        `"fields":{${text('title', 'Title', 'T')},${links(linked)}},` +
        '"created_at":"2024-05-01T10:00:00+00:00","updated_at":"2024-05-01T10:00:00+00:00"}',
    );
  });

  test('sorts without regard to case or accents, with missing values last in both directions, and orders ties by id', () => {
    const titled = (id: string, text: string) => content(id, { fields: { title: { text } } });
    const contents = [
      titled('b', 'Éa'),
      titled('a', 'ea'),
      titled('Z', 'EA'),
      titled('c', 'eb'),
      content('x'),
      content('n', { content_type: 'note' }),
    ];
    expect(listedIds(contents, [['sort', 'title.text']])).toEqual(['Z', 'a', 'b', 'c', 'n', 'x']);
    expect(listedIds(contents, [['sort', 'title.text:desc']])).toEqual(['c', 'Z', 'a', 'b', 'n', 'x']);
  });

  test('combines the values of one filter with AND, or with OR for match=any', () => {
    const contents = [content('a', { fields: { related: { content_links: ['b', 'c'] } } }), content('b'), content('c')];
    const sort: Pair = ['sort', 'slug'];
    expect(listedIds(contents, [['slug[]', 'a'], ['slug[]', 'b'], sort])).toEqual([]);
    expect(listedIds(contents, [['slug[]', 'a'], ['slug[]', 'a'], sort])).toEqual(['a']);
    expect(listedIds(contents, [['slug', 'a'], ['slug', 'b'], ['match', 'any'], sort])).toEqual(['a', 'b']);
    const linked = 'fields[content_links][related][id]';
    expect(listedIds(contents, [[`${linked}[0]`, 'b'], [`${linked}[1]`, 'c'], sort])).toEqual(['a']);
  });

  test('falls back to the default language only for groups without a visible translation', () => {
    const contents = [
      content('a'),
      content('a-fr', { language: 'fr', translation_of: 'a' }),
      content('b'),
      content('b-fr', { language: 'fr', translation_of: 'b', status: 'draft' }),
    ];
    const french = { 'x-service-language': 'fr' };
    const fallback: Pair = ['fallback_default_language', 'true'];
    expect(listedIds(contents, [], french)).toEqual(['a-fr']);
    expect(listedIds(contents, [fallback], french)).toEqual(['a-fr', 'b']);
    expect(listedIds(contents, [fallback], { ...french, 'x-service-preview': 'true' })).toEqual(['a-fr', 'b-fr']);
    expect(ask(contents, [], french, '/b')).toMatchObject({ status: 404 });
    expect(ask(contents, [], french, '/a')).toMatchObject({ body: { id: 'a-fr' } });
    expect(ask(contents, [fallback], french, '/b')).toMatchObject({ body: { id: 'b' } });
    expect(ask(contents, [], { 'x-service-language': 'de' })).toMatchObject({ status: 422 });
  });

  test('shows pending changes only in previews', () => {
    const fields = { title: { text: 'old' } };
    const contents = [content('a', { name: 'Old', fields, draft: { name: 'New' } }), content('b', { status: 'draft' })];
    expect(ask(contents, [], {}, '/a')).toMatchObject({ body: { name: 'Old', seo: { title: 'Old' } } });
    const preview = { 'x-service-preview': '1' };
    expect(ask(contents, [], preview, '/a')).toMatchObject({
      body: { name: 'New', fields: { title: { text: 'old' } } },
    });
    expect(ask(contents, [], preview, '/b')).toMatchObject({ body: { published_at: null } });
  });

  test.each([
    ['limit', '101'],
    ['limit', '1.5'],
    ['sort', 'id'],
    ['sort', 'title.number'],
    ['sort', 'name:down'],
    ['slug', ''],
    ['match', 'none'],
    ['fields[text][nothing]', 'x'],
    ['fields[number][title]', '1'],
  ])('rejects %s=%s', (name, value) => {
    expect(ask([], [[name, value]])).toMatchObject({ kind: 'error', status: 422 });
  });

  test('lists the pages around the current one, the first two and the last two', () => {
    const list = naiveService([...SITE, ...Array.from({ length: 20 }, (_, index) => content(`c${index}`))]).answer({
      path: '/api/v1/content',
      pairs: [['limit', '1']],
      headers: { 'x-service-site': 's_1', 'x-service-simple-pagination': 'true' },
      key: { sites: 'all', mayPreview: false },
    });
    if (list.kind !== 'list') throw new Error('not a list');
    const labels = (page: number) =>
      expectedSimplePage(list, page, { path: 'http://x/', pairs: [] })
        .meta.links.map((link) => link.label)
        .slice(1, -1);
    expect(labels(1).join(' ')).toBe('1 2 3 4 ... 19 20');
    expect(labels(10).join(' ')).toBe('1 2 ... 7 8 9 10 11 12 13 ... 19 20');
    expect(labels(20).join(' ')).toBe('1 2 ... 17 18 19 20');
  });

  test('responds to every request that the generators produce', async () => {
    const kinds = new Map<string, number>();
    for (let seed = 1; seed <= 20; seed++) {
      await runSeeded(seed, async (draw) => {
        const bundle = drawBundle(draw, 'x');
        const oracle = naiveService(bundle.records);
        for (const site of bundle.sites) {
          for (let count = 0; count < 20; count++) {
            const request = drawListRequest(draw, site);
            const answer = oracle.answer({ ...request, key: { sites: 'all', mayPreview: true } });
            const kind = answer.kind === 'list' ? `list of ${Math.sign(answer.bodies.length - 1)}` : answer.kind;
            kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
          }
        }
      });
    }
    expect([...kinds.keys()].toSorted()).toEqual(['error', 'list of -1', 'list of 0', 'list of 1']);
  });
});
