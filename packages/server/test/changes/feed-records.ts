// The site used by the tests of the change feed and its stream.

export const SITE = 's_feed';
const TIMES = {
  published_at: '2026-01-01T12:00:00+00:00',
  created_at: '2026-01-01T12:00:00+00:00',
  updated_at: '2026-01-01T12:00:00+00:00',
};

export function post(id: string, members: object = {}): object {
  const head = { kind: 'content', site: SITE, content_type: 'post', language: 'en', status: 'published' };
  return { ...head, id, slug: id, name: id, ...TIMES, ...members };
}

export const RECORDS: readonly object[] = [
  {
    kind: 'site',
    id: SITE,
    name: 'Feed',
    default_language: 'en',
    languages: ['en', 'de'],
    url: 'https://feed.example',
  },
  { kind: 'author', site: SITE, id: 'u_ada', name: 'Ada' },
  { kind: 'asset', site: SITE, id: 'a_photo', name: 'Photo', url: 'https://files.example/photo.jpg' },
  {
    kind: 'content_type',
    site: SITE,
    id: 't_post',
    handle: 'post',
    name: 'Post',
    uri_pattern: 'posts/{slug}',
    fields: [
      { handle: 'related', type: 'content_links' },
      { handle: 'photos', type: 'assets' },
      { handle: 'text', type: 'text' },
    ],
  },
  { kind: 'content_type', site: SITE, id: 't_note', handle: 'note', name: 'Note', uri_pattern: '{slug}', fields: [] },
  post('c_a', { author: 'u_ada', fields: { photos: { assets: ['a_photo'] } } }),
  post('c_b', { author: 'u_ada', fields: { related: { content_links: ['c_a'] } } }),
  post('c_c', { fields: { related: { content_links: ['c_b'] } } }),
  post('c_de', { language: 'de' }),
  post('c_note', { content_type: 'note' }),
  post('c_draft', { status: 'draft', published_at: undefined, author: 'u_ada' }),
];
