import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentRecord, readPlainContent } from './content-record.ts';

const time = fc.constantFrom(
  '2026-01-01T00:00:00+00:00',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00.250+02:00',
  '',
  3,
);
const id = fc.constantFrom('c_1', 'a'.repeat(64), 'a'.repeat(65), 'not an id', '', 7, null);
const uri = fc.constantFrom('', 'a/b', '/a', 'javascript:x', 'a/../b', 5, null);

const anyRecord = fc.record(
  {
    kind: fc.constant('content'),
    id,
    site: id,
    content_type: fc.constantFrom('post', 'Post', '1st', '', null),
    author: id,
    language: fc.constantFrom('en', 'pt-BR', 'en_GB', '', null),
    translation_of: id,
    slug: fc.constantFrom('a-b', 'größe', 'a b', '..', '', null),
    name: fc.constantFrom('Name', ' ', '', 'x'.repeat(256), 'a\0b', null),
    uri,
    shown_uri: uri,
    status: fc.constantFrom('draft', 'published', 'unpublished', 'archived', 'gone', null),
    published_at: time,
    created_at: time,
    updated_at: time,
    publish_at: time,
    unpublish_at: time,
    seo: fc.constantFrom({}, { title: 'x' }, null, 3),
    fields: fc.constantFrom({}, { title: { text: 'x' } }, null, 3),
    draft: fc.constantFrom(null, {}, { name: 'x' }, 3),
    absent: fc.constantFrom(null, {}, { contents: ['c_1'] }, 3),
    more: fc.constant(1),
  },
  { requiredKeys: [] },
);

const PLAIN = {
  kind: 'content',
  id: 'c_1',
  site: 's_1',
  content_type: 'post',
  language: 'en',
  slug: 'a-b',
  name: 'Name',
  status: 'published',
};

describe('plain content', () => {
  test('is parsed exactly as the schema parses it', () => {
    expect(readPlainContent(PLAIN)).toEqual(contentRecord.parse(PLAIN));
    const members = {
      ...PLAIN,
      author: 'u_1',
      uri: 'a/b',
      published_at: '2026-01-01T00:00:00.250+02:00',
      seo: { title: 'x' },
    };
    expect(readPlainContent(members)).toEqual(contentRecord.parse(members));
  });

  test('never includes content that the schema rejects or parses differently', () => {
    const nearlyPlain = anyRecord.chain((members) =>
      fc.subarray(Object.keys(members)).map((names) => {
        const chosen = Object.entries(members).filter(([name]) => names.includes(name));
        return { ...PLAIN, ...Object.fromEntries(chosen) };
      }),
    );
    fc.assert(
      fc.property(fc.oneof(anyRecord, nearlyPlain), (raw) => {
        const plain = readPlainContent(raw);
        if (plain !== undefined) expect(contentRecord.safeParse(raw)).toEqual({ success: true, data: plain });
      }),
      { numRuns: 1000 },
    );
  });

  test.each(Object.keys(PLAIN).filter((name) => name !== 'kind'))('requires the property %s', (name) => {
    expect(readPlainContent({ ...PLAIN, [name]: undefined })).toBeUndefined();
  });

  test.each([[{ more: 1 }], [{ draft: {} }], [{ absent: {} }], [{ uri: '/a' }], [{ created_at: 'today' }]])(
    'excludes content with %j',
    (members) => {
      expect(readPlainContent({ ...PLAIN, ...members })).toBeUndefined();
    },
  );
});
