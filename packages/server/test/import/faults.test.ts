// An import reports all errors in a bundle at once, each with its location.

import { describe, expect, test } from 'vitest';
import { BundleRefusal, formatFinding } from '../../src/bundle/bundle-report.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';
import { openImportDatabase } from './import-database.ts';

/** Imports with more records than this are prepared on a separate thread. */
const MANY = 1100;

function listPosts(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => postRecord(`c_${index}`));
}

function linkTo(...ids: readonly string[]) {
  return { related: { content_links: ids } };
}

async function readRefusal(work: Promise<unknown>): Promise<BundleRefusal> {
  const refusal = await work.catch((error: unknown) => error);
  if (!(refusal instanceof BundleRefusal)) throw refusal;
  return refusal;
}

describe('all errors in a bundle', () => {
  test('are reported together, in line order, with the record and the field', async () => {
    await using database = await openImportDatabase();
    const said = await database.refuse(
      postRecord('c_a', { fields: linkTo('c_nope', 'c_b') }),
      postRecord('c_b', { author: 'u_none', slug: 'b', fields: { rank: { number: 'x' }, colour: {} } }),
      { kind: 'author', id: 'u_ada', site: 's_small', name: '', email: 'ada' },
      postRecord('c_c', { slug: 'c-d', fields: { ...linkTo('c_gone'), rank: { number: 1 } } }),
      postRecord('c_d', { draft: { fields: linkTo('c_nope') } }),
      postRecord('c_e', { site: 's_none' }),
      postRecord('c_f', { content_type: 'page', language: 'en' }),
      postRecord('c_g', { language: 'it', translation_of: 'c_g' }),
      {
        ...typeRecord(),
        fields: [
          { handle: 'rank', type: 'text' },
          { handle: 'title', type: 'list' },
        ],
      },
    );
    // Nothing is reported for content whose type is invalid.
    expect(said).toBe(
      [
        '3: author u_ada, field name: must be 1 to 255 characters and not blank, got ""',
        '3: author u_ada, field email: must be an email address like ada@example.com, got "ada"',
        '6: content c_e, field site: site s_none does not exist',
        '7: content c_f, field content_type: content type page does not exist',
        '9: content_type t_post, field rank: must stay a number field, got text',
        '9: content_type t_post, field title: must stay a text field, got list',
      ].join('\n'),
    );
  });

  test('include errors in content', async () => {
    await using database = await openImportDatabase();
    const said = await database.refuse(
      postRecord('c_a', { fields: linkTo('c_nope', 'c_b') }),
      postRecord('c_b', { author: 'u_none', slug: 'b', fields: { rank: { number: 'x' }, colour: {} } }),
      postRecord('c_c', { slug: 'c-d', fields: { ...linkTo('c_gone'), rank: { number: 1 } } }),
      postRecord('c_d', { draft: { fields: linkTo('c_nope') } }),
      postRecord('c_e', { language: 'it', translation_of: 'c_e' }),
      postRecord('c_a', { name: 'Again' }),
    );
    expect(said).toBe(
      [
        '1: content c_a, field related: content c_nope does not exist',
        '2: content c_b, field author: author u_none does not exist',
        '2: content c_b, field rank: number must be a finite number, got "x"',
        '2: content c_b, field colour: is not a field of post; its fields: title, rank, related',
        '3: content c_c, field related: content c_gone does not exist',
        '4: content c_d, field slug: c-d is taken by c_c (same type and language)',
        '5: content c_e, field language: must be one of en, fr, de; got "it"',
        '5: content c_e, field translation_of: must not be the content itself',
        '6: content c_a: is already defined on line 1',
      ].join('\n'),
    );
  });

  test('are the same in a large import, which a separate thread prepares', async () => {
    await using database = await openImportDatabase();
    const wrong = [
      postRecord('c_x', { fields: linkTo('c_nope', 'c_1') }),
      postRecord('c_y', { fields: { ...linkTo('c_nope'), rank: { number: 'x' } } }),
      postRecord('c_z', { fields: linkTo('c_nope', 'c_y') }),
    ];
    expect(await database.refuse(...listPosts(MANY), ...wrong)).toBe(
      [
        `${MANY + 1}: content c_x, field related: content c_nope does not exist`,
        `${MANY + 2}: content c_y, field rank: number must be a finite number, got "x"`,
        `${MANY + 3}: content c_z, field related: content c_nope does not exist`,
      ].join('\n'),
    );
  });

  test('are listed up to a limit of 100, with a note that there are more', async () => {
    await using database = await openImportDatabase();
    const list = (count: number): string =>
      toLines(Array.from({ length: count }, (_, index) => postRecord(`c_${index}`, { author: 'u_none' })));
    const most = await readRefusal(database.importText(list(100)));
    expect([most.faults.length, most.hasMoreFaults]).toEqual([100, false]);
    const more = await readRefusal(database.importText(list(2000)));
    expect([more.faults.length, more.hasMoreFaults]).toEqual([100, true]);
    expect(more.faults.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });
});

describe('a line that is not a record', () => {
  test('is an error, but the import keeps checking later lines', async () => {
    await using database = await openImportDatabase();
    const text = Buffer.concat([
      Buffer.from('no JSON\n{"kind":"content","id":"c_1"\n'),
      Buffer.from('{"kind":"content","id":"c_2","name":"\xff"}\n', 'latin1'),
      Buffer.from(`{"kind":"content","id":"c_3","name":"${'x'.repeat(17 * 1024 * 1024)}"}\n`),
      Buffer.from(toLines([postRecord('c_4', { fields: linkTo('c_1', 'c_2', 'c_3', 'c_none') })])),
    ]);
    const { faults } = await readRefusal(database.importText(text));
    expect(faults.map((fault) => `${fault.line}: ${formatFinding(fault)}`)).toEqual([
      expect.stringMatching(/^1: line is not valid JSON: /),
      expect.stringMatching(/^2: line is not valid JSON: /),
      '3: not valid UTF-8',
      '4: longer than 16 MiB',
      // The other records are on invalid lines.
      '5: content c_4, field related: content c_none does not exist',
    ]);
  });

  test.each([
    ['an array', '[\n{"kind":"site","id":"s_1"},\n{"kind":"site","id":"s_2"}\n]\n', 1],
    ['an array on one line', '[{"kind":"site","id":"s_1"}]', 1],
    ['JSON that spans several lines', '{\n  "kind": "site",\n  "id": "s_1"\n}\n', 1],
    [
      'JSON that spans several lines, not at the beginning',
      `${toLines([siteRecord()])}{"kind": "site", "languages": [\n"en"\n]}\n`,
      2,
    ],
    ['a record that ends with a comma', '{"kind":"site","id":"s_1"},', 1],
  ])('is reported once, with a hint: %s', async (_, text, line) => {
    await using database = await openImportDatabase();
    const { faults } = await readRefusal(database.importText(text));
    expect(faults).toEqual([
      expect.objectContaining({ line, message: expect.stringContaining('; a bundle has one record per line, ') }),
    ]);
  });
});

describe('an error', () => {
  const quote = {
    ...typeRecord(),
    id: 't_quote',
    handle: 'quote',
    object_type: 'block',
    fields: [{ handle: 'x', type: 'txt' }],
  };
  const page = { ...typeRecord(), id: 't_page', handle: 'page', fields: [{ handle: 'parts', type: 'blocks' }] };
  test.each<[string, readonly object[], string]>([
    [
      'a site',
      [
        { ...siteRecord('s_new'), name: '' },
        { ...typeRecord('s_new') },
        { kind: 'author', id: 'u_ada', site: 's_new', name: 'Ada' },
        postRecord('c_1', { site: 's_new', author: 'u_ada' }),
        postRecord('c_2', { site: 's_new' }),
      ],
      '1: site s_new, field name: must be 1 to 255 characters and not blank, got ""',
    ],
    [
      'a content type',
      [
        { ...typeRecord(), id: 't_page', handle: 'page', name: '' },
        postRecord('c_1', { content_type: 'page' }),
        postRecord('c_2', { fields: linkTo('c_1') }),
      ],
      '1: content_type t_page, field name: must be 1 to 255 characters and not blank, got ""',
    ],
    [
      'a block type',
      [
        quote,
        page,
        postRecord('c_1', {
          content_type: 'page',
          fields: { parts: { blocks: [{ content_type: 'quote', fields: { x: { text: 'x' } } }] } },
        }),
      ],
      '1: content_type t_quote, field fields[0].type: must be one of text, number, boolean, date, list, option, assets, blocks, content_links; got "txt"',
    ],
    [
      'an author',
      [{ kind: 'author', id: 'u_ada', site: 's_small', name: 7 }, postRecord('c_1', { author: 'u_ada' })],
      '1: author u_ada, field name: must be 1 to 255 characters and not blank, got 7',
    ],
    [
      'content that later records link to or translate',
      [
        postRecord('c_1', { fields: { rank: { number: 'x' } } }),
        postRecord('c_2', { fields: linkTo('c_1') }),
        postRecord('c_3', { translation_of: 'c_1', language: 'fr' }),
      ],
      '1: content c_1, field rank: number must be a finite number, got "x"',
    ],
    [
      'translations that form a cycle',
      [postRecord('c_1', { translation_of: 'c_2' }), postRecord('c_2', { language: 'fr', translation_of: 'c_1' })],
      '1: content c_1, field translation_of: c_2 is part of a circular chain of translations',
    ],
  ])('is reported once, not again for everything that depends on it: %s', async (_, records, fault) => {
    await using database = await openImportDatabase();
    expect(await database.refuse(...records)).toBe(fault);
  });

  test('is reported only for the content itself, not for a record that takes over its slug', async () => {
    await using database = await openImportDatabase();
    await database.importRecords(postRecord('c_1', { slug: 'first' }));
    const wrong = postRecord('c_1', { slug: 'second', author: 'u_none' });
    const heir = postRecord('c_2', { slug: 'first' });
    const fault = 'content c_1, field author: author u_none does not exist';
    expect(await database.refuse(wrong, heir)).toBe(`1: ${fault}`);
    expect(await database.refuse(heir, wrong)).toBe(`2: ${fault}`);
  });
});

describe("values outside their field's limits", () => {
  const type = {
    ...typeRecord(),
    fields: [
      { handle: 'title', type: 'text', min_length: 2, max_length: 4 },
      { handle: 'rank', type: 'number', min: 1, max: 5, integer: true },
      { handle: 'related', type: 'content_links', allowed_types: ['page'], max_items: 2 },
      { handle: 'photos', type: 'assets', allowed_kinds: ['image/'] },
      { handle: 'parts', type: 'blocks', allowed_types: ['quote'] },
    ],
  };
  const page = { ...typeRecord(), id: 't_page', handle: 'page', fields: [{ handle: 'title', type: 'text' }] };
  const quote = { ...typeRecord(), id: 't_quote', handle: 'quote', object_type: 'block', fields: [] };
  const image = { ...quote, id: 't_image', handle: 'image', fields: [{ handle: 'width', type: 'number', max: 100 }] };
  const paper = { kind: 'asset', id: 'a_paper', site: 's_small', name: 'Paper', url: '/paper.pdf' };
  const photo = { kind: 'asset', id: 'a_photo', site: 's_small', name: 'Photo', url: '/photo.jpg' };
  const catalog = [type, page, quote, image, paper, photo];
  const odd = [
    postRecord('c_odd', {
      fields: {
        title: { text: 'x' },
        rank: { number: 7.5 },
        related: { content_links: ['c_post', 'c_page', 'c_ahead'] },
        photos: { assets: ['a_photo', 'a_paper'] },
        parts: { blocks: [{ content_type: 'image', fields: { width: { number: 200 } } }, { content_type: 'quote' }] },
      },
    }),
    postRecord('c_good', { fields: { title: { text: 'four' }, rank: { number: 5 }, ...linkTo('c_page') } }),
    postRecord('c_draft', { draft: { fields: { rank: { number: 9 } } } }),
    postRecord('c_post'),
    postRecord('c_ahead'),
    postRecord('c_page', { content_type: 'page' }),
  ];

  async function listWarnings(before: number) {
    await using database = await openImportDatabase();
    const posts = Array.from({ length: before }, (_, index) => postRecord(`c_${index}`));
    const { listed, count } = (await database.importAll(toLines([...catalog, ...posts, ...odd]))).warnings;
    expect(count).toBe(listed.length);
    return listed.map((warning) => `${warning.line - before}: ${formatFinding(warning)}`);
  }

  test('are imported with one warning each, in both small and large imports', async () => {
    const few = await listWarnings(0);
    expect(few).toEqual([
      '7: content c_odd, field title: text must have at least 2 characters, has 1',
      expect.stringMatching(/^7: content c_odd, field rank: number must be a whole number .*, got 7\.5$/),
      '7: content c_odd, field rank: number must be at most 5, got 7.5',
      '7: content c_odd, field related: content_links must have at most 2 items, has 3',
      '7: content c_odd, field parts: blocks[0].content_type must be one of quote, got "image"',
      '7: content c_odd, field parts: blocks[0].fields.width.number must be at most 100, got 200',
      '7: content c_odd, field related: content_links[0] must be content of type page; "c_post" is of type post',
      '7: content c_odd, field related: content_links[2] must be content of type page; "c_ahead" is of type post',
      '7: content c_odd, field photos: assets[1] must be an asset of kind image/; "a_paper" is application/pdf',
      '9: content c_draft, field draft.rank: number must be at most 5, got 9',
    ]);
    expect(await listWarnings(MANY)).toEqual(few);
  });

  test('are all counted, but only the first hundred are listed', async () => {
    await using database = await openImportDatabase();
    const posts = Array.from({ length: 300 }, (_, index) =>
      postRecord(`c_${index}`, { fields: { rank: { number: 0 } } }),
    );
    const { warnings, contents } = await database.importAll(toLines([...catalog, ...posts]));
    expect([contents, warnings.count, warnings.listed.length]).toEqual([300, 300, 100]);
    expect(warnings.listed.at(-1)?.record).toEqual({ kind: 'content', id: 'c_99' });
  });
});

describe('SVG images in data: URLs', () => {
  const picture = (inner: string): string =>
    `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`)}`;
  const asset = (id: string, url: string) => ({ kind: 'asset', id, site: 's_small', name: id, url });

  test('are rejected if they appear to run code', async () => {
    await using database = await openImportDatabase();
    const photo = picture('<g onclick="alert(1)"/>');
    const said = await database.refuse(
      asset('a_1', picture('<script>alert(1)</script>')),
      asset('a_2', picture('<!--><img src="x" onerror="alert(1)"/>-->')),
      { kind: 'author', id: 'u_ada', site: 's_small', name: 'Ada', profile_photo_url: photo },
      asset('a_3', picture('<g id=\u00a0"a onload=alert(1) b"/>')),
    );
    expect(said).toBe(
      [
        '1: asset a_1, field url: must not contain a <script> element',
        '2: asset a_2, field url: must not contain comments (<!-- … -->)',
        '3: author u_ada, field profile_photo_url: must not have the attribute onclick on <g>',
        '4: asset a_3, field url: must be well-formed XML: near  id= "a onload=alert(1) b"/></svg>',
        '4: asset a_3, field url: must be well-formed XML: <svg> is not closed',
      ].join('\n'),
    );
  });

  test('are rejected if they appear to run code, even with a misleading media type', async () => {
    await using database = await openImportDatabase();
    const code = '<svg onload="alert(1)"/>';
    const said = await database.refuse(
      asset('a_1', `data:image/png,${code}`),
      asset('a_2', `data:image/svg;base64,${Buffer.from(code).toString('base64')}`),
      { ...asset('a_3', `data:image/png,%89PNG%0D%0A%1A%0A${code}`), extension: 'svg' },
      { ...asset('a_4', `data:text/html,${code}`), path: 'a/b.SVG' },
      { ...asset('a_5', 'data:image/png;base64,PHN2!Zz4='), mime_type: 'image/svg+xml' },
      { kind: 'author', id: 'u_ada', site: 's_small', name: 'Ada', profile_photo_url: `data:image/gif,${code}` },
    );
    expect(said.split('\n').map((line) => line.split(': ')[0])).toEqual(
      expect.arrayContaining(['1', '2', '3', '4', '5', '6']),
    );
  });

  test('are imported with a warning if they are not pictures or have the wrong type, as with any other data: URL', async () => {
    await using database = await openImportDatabase();
    const { warnings, assets } = await database.importAll(
      toLines([
        asset('a_1', 'data:image/png;base64,AAAA'),
        { ...asset('a_2', 'data:image/png;base64,iVBORw0KGgo='), extension: 'gif', path: 'a/b.jpg' },
        asset('a_3', 'data:text/html,<script>alert(1)</script>'),
      ]),
    );
    expect(assets).toBe(3);
    expect(warnings.listed.map(formatFinding)).toEqual([
      'asset a_1, field url: must contain a PNG picture to match image/png',
      'asset a_2, field extension: must match the data: URL, which is image/png, got gif',
      'asset a_2, field path: must match the data: URL, which is image/png, got a/b.jpg',
      expect.stringMatching(/^asset a_3, field url: must be a picture .*, got text\/html$/),
    ]);
  });

  test('are imported with a warning if they contain more than a picture', async () => {
    await using database = await openImportDatabase();
    const { warnings, assets } = await database.importAll(
      toLines([asset('a_1', picture('<!-- Generator --><path d="M0 0"/>')), asset('a_2', picture('<g/>'))]),
    );
    expect(assets).toBe(2);
    expect(warnings.listed.map(formatFinding)).toEqual([
      'asset a_1, field url: must not contain comments (<!-- … -->)',
    ]);
  });
});
