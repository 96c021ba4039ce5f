// Every change to the bytes of a response changes its ETag, even if the content itself was not saved.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

const SITE = 's_v';

function site(url: string): object {
  return { kind: 'site', id: SITE, name: 'V', default_language: 'en', url };
}

function author(name: string): object {
  return { kind: 'author', id: 'u_v', site: SITE, name };
}

function asset(name: string): object {
  return { kind: 'asset', id: 'a_v', site: SITE, name, url: '/a.png' };
}

function type(name: string, fieldName: string, label: string): object {
  const fields = [
    { handle: 'title', name: fieldName, type: 'text' },
    { handle: 'mood', name: 'Mood', type: 'option', options: [{ label, value: 'm' }] },
    { handle: 'picture', name: 'Picture', type: 'assets' },
    { handle: 'related', name: 'Related', type: 'content_links' },
  ];
  return { kind: 'content_type', id: 't_v', site: SITE, handle: 'note', name, fields };
}

function content(id: string, name: string, links: readonly string[], writer = 'u_v'): object {
  const fields = {
    mood: { selected_option: 'm' },
    picture: { assets: ['a_v'] },
    related: { content_links: links },
  };
  const rest = { site: SITE, content_type: 'note', language: 'en', status: 'published', slug: id, author: writer };
  const times = { published_at: '2024-01-01T00:00:00+00:00', updated_at: '2024-01-01T00:00:00+00:00' };
  return { kind: 'content', id, name, ...rest, ...times, fields };
}

const START = [
  site('https://one.example'),
  author('Ada'),
  { ...author('Grace'), id: 'u_w' },
  asset('Photo'),
  type('Note', 'Title', 'Merry'),
  content('c_a', 'A', ['c_b']),
  content('c_b', 'B', ['c_c']),
  content('c_c', 'C', []),
];

describe('the ETags of an object and a list', () => {
  let service: TestService;
  let token: string;

  beforeAll(async () => {
    service = await startService();
    await service.importRecords(START);
    ({ token } = await service.createKey({ sites: [SITE] }));
  });

  afterAll(() => service.close());

  async function read(path: string): Promise<{ readonly text: string; readonly etag: string | null }> {
    const headers = { authorization: `Bearer ${token}`, 'x-service-site': SITE };
    const response = await fetch(`${service.url}/api/v1/content${path}`, { headers });
    return { text: await response.text(), etag: response.headers.get('etag') };
  }

  test.each<[string, () => Promise<unknown>]>([
    ["the site's URL", () => service.importRecords([site('https://two.example')])],
    ["the author's name", () => service.importRecords([author('Ada L.')])],
    ["the asset's name", () => service.importRecords([asset('Picture')])],
    ["the type's name", () => service.importRecords([type('Story', 'Title', 'Merry')])],
    ["a field's name", () => service.importRecords([type('Story', 'Headline', 'Merry')])],
    ["an option's label", () => service.importRecords([type('Story', 'Headline', 'Glad')])],
    ['linked content', () => service.importRecords([content('c_b', 'B, changed', ['c_c'])])],
    ['the visibility of content that the linked content links to', () => service.unpublish(SITE, 'c_c')],
    ['the visibility of linked content', () => service.unpublish(SITE, 'c_b')],
    ['the content', () => service.importRecords([content('c_a', 'A, changed', ['c_b'])])],
    ['its author', () => service.importRecords([content('c_a', 'A, changed', ['c_b'], 'u_w')])],
  ])('change with %s', async (_what, change) => {
    const before = await Promise.all(['/c_a', ''].map(read));
    await change();
    const after = await Promise.all(['/c_a', ''].map(read));
    for (const [index, { text, etag }] of after.entries()) {
      expect(text).not.toBe(before[index]?.text);
      expect(etag).not.toBe(before[index]?.etag);
    }
  });

  test('stay the same when other content, or the same content without changes, is saved', async () => {
    const before = await read('/c_a');
    await service.importRecords([content('c_d', 'D', []), content('c_a', 'A, changed', ['c_b'], 'u_w')]);
    expect(await read('/c_a')).toEqual(before);
  });
});
