import { describe, expect, test } from 'vitest';
import { parseBundleLine } from './bundle-record.ts';
import { formatFinding } from './bundle-report.ts';

const SITE = { kind: 'site', id: 's_demo', name: 'Demo', default_language: 'en' };
const AUTHOR = { kind: 'author', id: 'u_ada', site: 's_demo', name: 'Ada' };
const ASSET = { kind: 'asset', id: 'a_1', site: 's_demo', name: 'Photo', url: 'https://example.com/img/photo.jpg' };
const TYPE = { kind: 'content_type', id: 't_post', site: 's_demo', handle: 'post', name: 'Post', fields: [] };
const CONTENT = {
  kind: 'content',
  id: 'c_1',
  site: 's_demo',
  content_type: 'post',
  language: 'en',
  slug: 'hello',
  name: 'Hello',
  status: 'published',
};

function read(record: object) {
  const parsed = parseBundleLine(JSON.stringify(record));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problem));
  return parsed.value;
}

/** Returns all problems with the line. */
function findProblem(line: string) {
  const parsed = parseBundleLine(line);
  if (parsed.ok) return undefined;
  const { record, faults } = parsed.problem;
  return faults.map((fault) => formatFinding({ record, ...fault })).join('\n');
}

describe('a site', () => {
  test('has only its default language if languages are omitted', () => {
    expect(read(SITE)).toEqual({ ...SITE, languages: ['en'], url: null });
    expect(read({ ...SITE, languages: null, url: null })).toEqual({ ...SITE, languages: ['en'], url: null });
  });

  test('keeps the order of its languages, and stores its URL without a trailing slash', () => {
    const record = read({ ...SITE, languages: ['fr', 'en'], url: 'https://example.com/' });
    expect(record).toEqual({ ...SITE, languages: ['fr', 'en'], url: 'https://example.com' });
  });

  test.each([
    [{ languages: ['fr'] }, 'site s_demo, field languages: must contain the default_language en, got an array'],
    [{ languages: [] }, 'site s_demo, field languages: must contain the default_language en, got an array'],
    [{ languages: ['en', 'en'] }, 'site s_demo, field languages: must not list a language twice, got an array'],
    [
      { languages: ['en', 'f r'] },
      'site s_demo, field languages[1]: must be a language tag like en or pt-BR of at most 35 characters, got "f r"',
    ],
    [{ languages: 'en' }, 'site s_demo, field languages: must be an array of language tags, got "en"'],
    [
      { url: 'ftp://example.com' },
      'site s_demo, field url: must be an http(s) URL of at most 2048 characters without a query or fragment, got "ftp://example.com"',
    ],
    [{ name: ' ' }, 'site s_demo, field name: must be 1 to 255 characters and not blank, got " "'],
  ])('is rejected with the properties %j', (change, problem) => {
    expect(findProblem(JSON.stringify({ ...SITE, ...change }))).toBe(problem);
  });
});

describe('an author', () => {
  test('does not need an email address or a photo', () => {
    expect(read(AUTHOR)).toEqual({ ...AUTHOR, email: null, profile_photo_url: null });
  });

  test('keeps all given properties', () => {
    const record = { ...AUTHOR, email: 'ada@example.com', profile_photo_url: '/ada.jpg' };
    expect(read(record)).toEqual(record);
  });

  test.each([
    { email: 'ada' },
    { email: '' },
    { profile_photo_url: 'javascript:alert(1)' },
    { site: null },
    { name: 1 },
  ])('is rejected with the properties %j', (change) => {
    const [name] = Object.keys(change);
    expect(findProblem(JSON.stringify({ ...AUTHOR, ...change }))).toMatch(`author u_ada, field ${name}: must be `);
  });
});

const UNSHELVED = { focal_point: null, folder: '', tags: [] };

describe('an asset', () => {
  test('keeps all given properties', () => {
    const record = {
      ...ASSET,
      description: 'A photo',
      path: 'assets/a_1/other.png',
      extension: 'gif',
      size: 12345,
      mime_type: 'image/webp',
      width: 800,
      height: 600,
    };
    expect(read(record)).toEqual({ ...record, ...UNSHELVED, file: null });
  });

  test.each([
    [{}, { path: 'img/photo.jpg', extension: 'jpg', mime_type: 'image/jpeg' }],
    [{ url: '/files/Paper.PDF?v=1' }, { path: 'files/Paper.PDF', extension: 'pdf', mime_type: 'application/pdf' }],
    [{ url: 'https://example.com' }, { path: 'assets/a_1', extension: '', mime_type: 'application/octet-stream' }],
    [
      { url: 'data:image/png;base64,AAAA' },
      { path: 'assets/a_1.png', extension: 'png', mime_type: 'image/png', url: 'data:image/png;base64,AAAA' },
    ],
    [{ url: 'data:x/y,A' }, { path: 'assets/a_1', extension: '', mime_type: 'x/y' }],
    [{ path: 'a/b.svg' }, { path: 'a/b.svg', extension: 'svg', mime_type: 'image/svg+xml' }],
    [{ extension: 'webp' }, { path: 'img/photo.jpg', extension: 'webp', mime_type: 'image/webp' }],
    [
      { url: '/photo', mime_type: 'IMAGE/PNG' },
      { path: 'photo', extension: 'png', mime_type: 'image/png' },
    ],
    [
      { path: '', description: '', extension: null, mime_type: null, width: null },
      { path: 'img/photo.jpg', description: null },
    ],
    [{ extension: '' }, { extension: '', mime_type: 'application/octet-stream' }],
  ])('has missing properties filled in from the others: %j', (change, complete) => {
    expect(read({ ...ASSET, ...change })).toMatchObject({ size: 0, width: null, height: null, ...complete });
  });

  test.each([
    { url: 'javascript:alert(1)' },
    { url: 'photo.jpg' },
    { url: '//example.com/photo.jpg' },
    { url: null },
    { size: -1 },
    { size: 1.5 },
    { size: null },
    { width: '800' },
    { height: -5 },
    { mime_type: 'image' },
    { extension: '.jpg' },
    { description: 5 },
  ])('is rejected with the properties %j', (change) => {
    const [name] = Object.keys(change);
    expect(findProblem(JSON.stringify({ ...ASSET, ...change }))).toMatch(`asset a_1, field ${name}: must be `);
  });
});

describe('an asset with a file', () => {
  const { url: _, ...WITHOUT_URL } = ASSET;
  const FILE = { ...WITHOUT_URL, file: 'files/photo.jpg' };
  const SHA256 = 'ab'.repeat(32);
  const PICTURE = { width: 800, height: 600, placeholder: '1QcSHQRnh493V4dIh4eXh1h4kJUI', colour: '#2f6f73' };

  test('needs nothing but its path', () => {
    const appearance = { width: null, height: null, placeholder: null, colour: null };
    expect(read(FILE)).toEqual({
      ...{ ...WITHOUT_URL, description: null, focal_point: null, folder: '', tags: [] },
      file: { path: 'files/photo.jpg', sha256: null, appearance },
    });
  });

  test('can have a SHA-256, a description of the picture, a focal point, a folder and tags', () => {
    const shelf = { focal_point: { x: 12.5, y: 100 }, folder: 'press/2026', tags: ['Paper', 'colour', 'PAPER'] };
    const record = { ...FILE, description: 'A photo', sha256: SHA256, ...PICTURE, ...shelf };
    expect(read(record)).toEqual({
      ...{ ...WITHOUT_URL, ...shelf, description: 'A photo', tags: ['colour', 'Paper'] },
      file: { path: 'files/photo.jpg', sha256: SHA256, appearance: PICTURE },
    });
  });

  test.each([
    [{ file: '' }, 'file: must be a path like files/photo.jpg'],
    [{ file: '../photo.jpg' }, 'file: must be a path like files/photo.jpg'],
    [{ file: 'files/../../photo.jpg' }, 'file: must be a path like files/photo.jpg'],
    [{ file: './photo.jpg' }, 'file: must be a path like files/photo.jpg'],
    [{ file: '/etc/passwd' }, 'file: must be a path like files/photo.jpg'],
    [{ file: 'files//photo.jpg' }, 'file: must be a path like files/photo.jpg'],
    [{ file: 'files/' }, 'file: must be a path like files/photo.jpg'],
    [{ file: 'C:/photo.jpg' }, 'file: must be a path like files/photo.jpg'],
    [{ file: 'files\\photo.jpg' }, 'file: must be a path like files/photo.jpg'],
    [{ file: 'x'.repeat(1025) }, 'file: must be a path like files/photo.jpg'],
    [{ file: 7 }, 'file: must be a path like files/photo.jpg'],
    [{ url: '/photo.jpg' }, 'url: must be left out, because the asset has a file'],
    [{ size: 5 }, 'size: must be left out, because it is derived from the file'],
    [{ path: 'x.jpg' }, 'path: must be left out, because it is derived from the file'],
    [{ mime_type: 'image/jpeg' }, 'mime_type: must be left out, because it is derived from the file'],
    [{ extension: 'jpg' }, 'extension: must be left out, because it is derived from the file'],
    [{ width: 5 }, 'width: needs the sha256 of the file'],
    [{ placeholder: PICTURE.placeholder }, 'placeholder: needs the sha256 of the file'],
    [{ sha256: 'AB'.repeat(32) }, 'sha256: must be 64 lowercase hexadecimal digits'],
    [{ sha256: SHA256, colour: 'red' }, 'colour: must be a colour like #2f6f73'],
    [{ sha256: SHA256, placeholder: '<svg>' }, 'placeholder: must be a ThumbHash in base64'],
    [{ focal_point: { x: 101, y: 0 } }, 'focal_point.x: must be a number from 0 to 100'],
    [{ focal_point: { x: 1 } }, 'focal_point.y: must be a number from 0 to 100'],
    [{ folder: 'press/' }, 'folder: must be up to 8 folder names'],
    [{ folder: '../press' }, 'folder: must be up to 8 folder names'],
    [{ tags: 'paper' }, 'tags: must be an array of tags'],
    [{ tags: [''] }, 'tags[0]: must be text of 1 to 64 characters'],
  ])('is rejected with the properties %j', (change, problem) => {
    expect(findProblem(JSON.stringify({ ...FILE, ...change }))).toMatch(`asset a_1, field ${problem}`);
  });

  test.each(['sha256', 'placeholder', 'colour'])(
    'is the only kind of asset that can have the property %s',
    (member) => {
      const values = { ...PICTURE, sha256: SHA256 };
      const given = Object.entries(values).filter(([name]) => name === member);
      expect(findProblem(JSON.stringify({ ...ASSET, ...Object.fromEntries(given) }))).toMatch(
        `asset a_1, field ${member}: is allowed only for an asset with a file`,
      );
    },
  );
});

describe('a content type', () => {
  test('consists of its definition, an id and a site', () => {
    const fields = [{ handle: 'title', type: 'text', required: true, max_length: 80 }];
    expect(read({ ...TYPE, fields })).toEqual({
      ...TYPE,
      object_type: 'page',
      uri_pattern: '{slug}',
      fields: [
        {
          id: null,
          handle: 'title',
          name: 'Title',
          type: 'text',
          required: true,
          hidden: false,
          help_text: null,
          settings: { max_length: 80 },
        },
      ],
    });
  });

  test('is rejected if a field is invalid', () => {
    expect(findProblem(JSON.stringify({ ...TYPE, fields: [{ handle: 'x', type: 'txt' }] }))).toBe(
      'content_type t_post, field fields[0].type: must be one of text, number, boolean, date, list, option, assets, blocks, content_links; got "txt"',
    );
  });
});

describe('content', () => {
  test('needs only the required properties', () => {
    expect(read(CONTENT)).toEqual({
      ...CONTENT,
      author: null,
      translation_of: null,
      uri: null,
      shown_uri: null,
      published_at: null,
      created_at: null,
      updated_at: null,
      publish_at: null,
      unpublish_at: null,
      draft: null,
      absent: null,
    });
  });

  test('is parsed with raw values and with times in milliseconds', () => {
    const record = read({
      ...CONTENT,
      author: 'u_ada',
      translation_of: 'c_0',
      uri: 'blog/hello',
      published_at: '1970-01-01T00:00:01+00:00',
      created_at: '1970-01-01T01:00:00+01:00',
      updated_at: '1970-01-01T00:00:02Z',
      publish_at: '1970-01-01T00:00:03.5Z',
      unpublish_at: null,
      seo: { anything: 1 },
      fields: { anything: [2] },
      shown_uri: 'old/hello',
      draft: { name: 'Hello, changed', author: null, uri: null, updated_at: '1970-01-01T00:00:04Z', fields: 3 },
      absent: { contents: ['c_9'], options: ['red'] },
    });
    expect(record).toEqual({
      ...CONTENT,
      author: 'u_ada',
      translation_of: 'c_0',
      uri: 'blog/hello',
      published_at: 1000,
      created_at: 0,
      updated_at: 2000,
      publish_at: 3500,
      unpublish_at: null,
      seo: { anything: 1 },
      fields: { anything: [2] },
      shown_uri: 'old/hello',
      draft: { name: 'Hello, changed', author: null, uri: null, updated_at: 4000, fields: 3 },
      absent: { contents: ['c_9'], options: ['red'] },
    });
  });

  test('has a draft with only the given properties', () => {
    const record = read({ ...CONTENT, draft: { slug: 'other' } });
    expect(record.kind === 'content' && record.draft !== null && Object.keys(record.draft)).toEqual(['slug']);
    const empty = read({ ...CONTENT, draft: {} });
    expect(empty.kind === 'content' && empty.draft).toEqual({});
  });

  test('is frozen', () => {
    expect(Object.isFrozen(read(CONTENT))).toBe(true);
  });

  test.each([
    [
      { slug: 'a b' },
      'content c_1, field slug: must be 1 to 255 characters without whitespace, control characters or / ? # % &, and not only dots; got "a b"',
    ],
    [{ slug: null }, /^content c_1, field slug: must be .*; got null$/],
    [{ slug: undefined }, /^content c_1, field slug: must be .*; got nothing$/],
    [{ id: 'a b' }, 'content, field id: must be 1 to 64 characters from A-Z a-z 0-9 _ -, got "a b"'],
    [{ id: undefined }, 'content, field id: must be 1 to 64 characters from A-Z a-z 0-9 _ -, got nothing'],
    [{ id: 7 }, 'content, field id: must be 1 to 64 characters from A-Z a-z 0-9 _ -, got 7'],
    [
      { status: 'live' },
      'content c_1, field status: must be one of draft, published, unpublished, archived; got "live"',
    ],
    [{ language: 'english!' }, /^content c_1, field language: must be /],
    [{ uri: '/blog/hello' }, /^content c_1, field uri: must be .* without a leading slash, .*; got "\/blog\/hello"$/],
    [
      { published_at: '2024-05-01' },
      'content c_1, field published_at: must be an ISO 8601 time with an offset, like 2026-03-01T08:00:00+00:00; got "2024-05-01"',
    ],
    [{ updated_at: 5 }, /^content c_1, field updated_at: must be an ISO 8601 time .*; got 5$/],
    [{ author: '' }, 'content c_1, field author: must be 1 to 64 characters from A-Z a-z 0-9 _ -, got ""'],
    [{ content_type: 'Post' }, /^content c_1, field content_type: must be a handle .*, got "Post"$/],
    [
      { name: 'x'.repeat(256) },
      `content c_1, field name: must be 1 to 255 characters and not blank, got "${'x'.repeat(60)}…"`,
    ],
    [{ shown_uri: '/a' }, /^content c_1, field shown_uri: must be .* without a leading slash/],
    [{ absent: { contents: 'c_9' } }, 'content c_1, field absent.contents: must be an array of ids, got "c_9"'],
    [{ absent: { links: [] } }, 'content c_1, field absent.links: is unknown; absent has contents, assets, options'],
    [
      { colour: 'red' },
      /^content c_1, field colour: is unknown; content has kind, id, site, .*, fields, draft and 1 more$/,
    ],
    [{ draft: [] }, 'content c_1, field draft: must be an object, got an array'],
    [{ draft: { slug: '' } }, /^content c_1, field draft.slug: must be .*; got ""$/],
    [
      { draft: { status: 'x' } },
      'content c_1, field draft.status: is unknown; a draft has name, slug, uri, shown_uri, author, updated_at, seo, fields',
    ],
  ])('is rejected with the properties %j', (change, problem) => {
    expect(findProblem(JSON.stringify({ ...CONTENT, ...change }))).toMatch(problem);
  });
});

describe('a line', () => {
  test.each([
    ['nonsense', /^line is not valid JSON: Unexpected token/],
    ['[]', /^line must be a JSON object, got an array; a bundle has one record per line, without /],
    ['null', 'line must be a JSON object, got null'],
    ['"x"', 'line must be a JSON object, got "x"'],
    ['{}', 'kind must be one of site, author, asset, content_type, content; got nothing'],
    ['{"kind":"foo"}', 'kind must be one of site, author, asset, content_type, content; got "foo"'],
    ['{"kind":["site"]}', 'kind must be one of site, author, asset, content_type, content; got an array'],
    ['{"kind":"constructor"}', 'kind must be one of site, author, asset, content_type, content; got "constructor"'],
    ['{"kind":"site","kind":"author"}', 'line has the property "kind" twice in one object'],
    [
      '{"kind":"site","name":"\\ud800"}',
      'line contains "\\ud800", but text must be well-formed Unicode text without NUL characters',
    ],
    [
      '{"kind":"content","fields":{"title":{"text":"a\\u0000"}}}',
      'line contains "a\\u0000", but text must be well-formed Unicode text without NUL characters',
    ],
    [`{"kind":"site","x":${'['.repeat(200)}${']'.repeat(200)}}`, 'line is nested deeper than 100 levels'],
  ])('is rejected if it is %.60s', (line, problem) => {
    expect(findProblem(line)).toMatch(problem);
  });

  test('cannot define properties through a prototype', () => {
    const line = `{"kind":"author","id":"u_1","site":"s_1","__proto__":{"name":"Eve"}}`;
    expect(findProblem(line)).toMatch(/^author u_1, field name: must be .* got nothing$/m);
    expect(findProblem(`${JSON.stringify(AUTHOR).slice(0, -1)},"__proto__":{}}`)).toMatch(
      /^author u_ada, field __proto__: is unknown; /,
    );
  });
});
