// A site small enough to take in at a glance: one type with a field of each kind that tests need.

export function siteRecord(id = 's_small') {
  return {
    kind: 'site',
    id,
    name: 'Small',
    default_language: 'en',
    languages: ['en', 'fr'],
    url: 'https://small.example',
  };
}

export function typeRecord(site = 's_small') {
  const fields = [
    { handle: 'title', name: 'Title', type: 'text' },
    { handle: 'rank', name: 'Rank', type: 'number' },
    { handle: 'related', name: 'Related', type: 'content_links' },
  ];
  return {
    kind: 'content_type',
    id: 't_post',
    site,
    handle: 'post',
    name: 'Post',
    object_type: 'page',
    uri_pattern: 'blog/{slug}',
    fields,
  };
}

export function postRecord(id: string, members: Readonly<Record<string, unknown>> = {}) {
  return {
    kind: 'content',
    id,
    site: 's_small',
    content_type: 'post',
    language: 'en',
    slug: id.replaceAll('_', '-'),
    name: `Post ${id}`,
    status: 'published',
    published_at: '2026-01-01T00:00:00+00:00',
    ...members,
  };
}

export function toLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
