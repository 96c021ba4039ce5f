// The order of a list: every attribute, fields across content types, missing values, ties, and what is refused.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, content, contentType, PRESS, site } from './fixture.ts';
import { errorOf, idsOf, openReader, type Reader, SIMPLE } from './reader.ts';

/** Content whose order is different by each attribute. */
const SHELF = [
  { id: 'c_1', name: 'delta', slug: 'cc', uri: 'b/1', published_at: at(3), created_at: at(4), updated_at: at(15) },
  { id: 'c_2', name: 'alpha', slug: 'dd', uri: 'a/9', published_at: at(5), created_at: at(1), updated_at: at(13) },
  { id: 'c_3', name: 'echo', slug: 'aa', uri: 'c/4', published_at: at(1), created_at: at(5), updated_at: at(11) },
  { id: 'c_4', name: 'bravo', slug: 'ee', uri: 'a/10', published_at: at(4), created_at: at(2), updated_at: at(14) },
  { id: 'c_5', name: 'charlie', slug: 'bb', uri: 'd', published_at: at(2), created_at: at(3), updated_at: at(12) },
] as const;

const ATTRIBUTES = ['published_at', 'created_at', 'updated_at', 'name', 'slug', 'uri'] as const;

const BOOK = [
  { handle: 'title', type: 'text' },
  { handle: 'pages', type: 'number' },
  { handle: 'shelf', type: 'option', options: [{ label: 'A', value: 'a' }] },
];
const FILM = [
  { handle: 'title', type: 'text' },
  { handle: 'minutes', type: 'number' },
];

function book(id: string, title: string | null, pages: number | null, parts: object = {}): object {
  const fields = { title: { text: title }, pages: { number: pages } };
  return content({ id, content_type: 'book', fields, ...parts });
}

const LIBRARY = [
  book('b_1', 'Zebra', 300, { published_at: at(9) }),
  book('b_2', 'apple', 20, { published_at: at(8) }),
  book('b_3', null, 100, { published_at: at(7) }),
  book('b_4', 'Élan', null, { published_at: at(6) }),
  content({ id: 'f_1', content_type: 'film', name: 'film one', published_at: at(5), fields: { title: { text: 'mango' } } }),
  content({ id: 'f_2', content_type: 'film', name: 'film two', published_at: at(4), fields: { minutes: { number: 90 } } }),
  content({ id: 'a_thing', content_type: 'thing', name: 'thing one', published_at: at(3) }),
  content({ id: 'z_thing', content_type: 'thing', name: 'thing two', published_at: at(2) }),
];

/** Content that lacks the one value, the other, or both. */
const PAIRS = (
  [
    ['p_1', 'b', 1],
    ['p_2', 'a', 1],
    ['p_3', 'a', 2],
    ['p_4', 'b', null],
    ['p_5', null, 2],
    ['p_6', 'a', null],
    ['p_7', null, null],
    ['p_8', null, 1],
  ] as const
).map(([id, first, second]) =>
  content({ id, content_type: 'pair', fields: { first: { text: first }, second: { number: second } } }),
);

let reader: Reader;

beforeAll(async () => {
  reader = await openReader([
    site(PRESS, { languages: ['en', 'fr'] }),
    contentType(PRESS, 'shelf', []),
    contentType(PRESS, 'book', BOOK),
    contentType(PRESS, 'film', FILM),
    contentType(PRESS, 'thing', []),
    contentType(PRESS, 'word', [{ handle: 'text', type: 'text' }]),
    contentType(PRESS, 'height', [{ handle: 'high', type: 'number' }]),
    contentType(PRESS, 'pair', [
      { handle: 'first', type: 'text' },
      { handle: 'second', type: 'number' },
    ]),
    ...SHELF.map((parts) => content({ ...parts, content_type: 'shelf' })),
    ...LIBRARY,
    ...PAIRS,
  ]);
});

afterAll(() => reader.close());

/** The order of the whole list; both modes must agree on it. */
async function order(query: string): Promise<readonly string[]> {
  const ids = idsOf(await reader.list(`${query}&limit=100`));
  expect(idsOf(await reader.list(`${query}&limit=100`, SIMPLE)), `simple mode of ${query}`).toEqual(ids);
  return ids;
}

async function refusal(query: string): Promise<string> {
  const [status, message] = errorOf(await reader.list(query));
  expect(status, query).toBe(422);
  return message;
}

const LIBRARY_TYPES = 'content_type=book&content_type=film&content_type=thing&match=any';

test('sorts by most recently published first when nothing else is asked', async () => {
  const newestFirst = ['c_2', 'c_4', 'c_1', 'c_5', 'c_3'];
  expect(await order('content_type=shelf')).toEqual(newestFirst);
  expect(await order('content_type=shelf&sort=published_at:desc')).toEqual(newestFirst);
  expect(await order('content_type=shelf&sort=')).toEqual(newestFirst);
});

test('sorts by each fixed attribute in both directions', async () => {
  for (const attribute of ATTRIBUTES) {
    const ascending = SHELF.toSorted((a, b) => (a[attribute] < b[attribute] ? -1 : 1)).map(({ id }) => id);
    expect(await order(`content_type=shelf&sort=${attribute}:asc`), attribute).toEqual(ascending);
    expect(await order(`content_type=shelf&sort=${attribute}:desc`), attribute).toEqual(ascending.toReversed());
  }
});

test('sorts in ascending order where the direction is left out', async () => {
  for (const attribute of ATTRIBUTES) {
    expect(await order(`content_type=shelf&sort=${attribute}`)).toEqual(await order(`content_type=shelf&sort=${attribute}:asc`));
  }
  expect(await order('content_type=book&sort=pages.number')).toEqual(['b_2', 'b_3', 'b_1', 'b_4']);
});

test('sorts by a text field and by a number field in both directions', async () => {
  expect(await order('content_type=book&sort=title.text:asc')).toEqual(['b_2', 'b_4', 'b_1', 'b_3']);
  expect(await order('content_type=book&sort=title.text:desc')).toEqual(['b_1', 'b_4', 'b_2', 'b_3']);
  expect(await order('content_type=book&sort=pages.number:asc')).toEqual(['b_2', 'b_3', 'b_1', 'b_4']);
  expect(await order('content_type=book&sort=pages.number:desc')).toEqual(['b_1', 'b_3', 'b_2', 'b_4']);
});

test('sorts by a field across content types, and by id what lacks the field, after all that has it', async () => {
  const lacking = ['a_thing', 'b_3', 'f_2', 'z_thing'];
  expect(await order(`${LIBRARY_TYPES}&sort=title.text:asc`)).toEqual(['b_2', 'b_4', 'f_1', 'b_1', ...lacking]);
  expect(await order(`${LIBRARY_TYPES}&sort=title.text:desc`)).toEqual(['b_1', 'f_1', 'b_4', 'b_2', ...lacking]);
});

test('sorts by a field over all content of the site, when no type is asked for', async () => {
  const ids = await order('sort=pages.number:desc');
  expect(ids.slice(0, 3)).toEqual(['b_1', 'b_3', 'b_2']);
  expect(ids.slice(3)).toEqual([...ids.slice(3)].sort());
  expect(new Set(ids).size).toBe(ids.length);
});

test('orders numbers by their value, fractions and negative ones included', async () => {
  const numbers = [-1e21, -10, -9.5, -0.1, 0, 0.1, 0.25, 2, 9, 10, 9007199254740991, 1e21];
  // Ids run against the order of the numbers.
  const contents = numbers.map((number, index) =>
    content({ id: `n_${String(99 - index)}`, content_type: 'height', fields: { high: { number } } }),
  );
  await reader.service.importRecords(contents);
  const ascending = numbers.map((_, index) => `n_${99 - index}`);
  expect(await order('content_type=height&sort=high.number:asc')).toEqual(ascending);
  expect(await order('content_type=height&sort=high.number:desc')).toEqual(ascending.toReversed());
});

test('reads a handle that is a text field here and a number field there by the accessor alone', async () => {
  await reader.service.importRecords([
    contentType(PRESS, 'worded', [{ handle: 'code', type: 'text' }]),
    contentType(PRESS, 'counted', [{ handle: 'code', type: 'number' }]),
    content({ id: 'k_1', content_type: 'worded', fields: { code: { text: 'b' } } }),
    content({ id: 'k_2', content_type: 'worded', fields: { code: { text: 'a' } } }),
    content({ id: 'k_3', content_type: 'counted', fields: { code: { number: 1 } } }),
    content({ id: 'k_4', content_type: 'counted', fields: { code: { number: 2 } } }),
  ]);
  const types = 'content_type=worded&content_type=counted&match=any';
  expect(await order(`${types}&sort=code.text:asc`)).toEqual(['k_2', 'k_1', 'k_3', 'k_4']);
  expect(await order(`${types}&sort=code.number:desc`)).toEqual(['k_4', 'k_3', 'k_1', 'k_2']);
});

test('sorts text without regard to case and accents', async () => {
  const words = ['A', 'á1', 'Ａ2', 'Ab', 'ÀC', 'äd', 'e\u0301a', 'Éb', 'ec', 'ﬁle1', 'File2', 'ﬁLE3', 'Ω', 'ώa', '漢'];
  // Ids run against the order of the words.
  await reader.service.importRecords(
    words.map((word, index) =>
      content({
        id: `w_${String(99 - index)}`,
        content_type: 'word',
        slug: `w${index}`,
        name: word,
        fields: { text: { text: word } },
      }),
    ),
  );
  const ascending = words.map((_, index) => `w_${99 - index}`);
  expect(await order('content_type=word&sort=name:asc')).toEqual(ascending);
  expect(await order('content_type=word&sort=name:desc')).toEqual(ascending.toReversed());
  expect(await order('content_type=word&sort=text.text:asc')).toEqual(ascending);
  expect(await order('content_type=word&sort=text.text:desc')).toEqual(ascending.toReversed());
});

test('puts words that differ only in case and accents in the order of their ids, in both directions', async () => {
  const alike = ['Résumé', 'resume', 'RESUME', 're\u0301sume\u0301'];
  await reader.service.importRecords([
    contentType(PRESS, 'alike', []),
    ...alike.map((name, index) => content({ id: `same_${index}`, content_type: 'alike', name })),
  ]);
  for (const direction of ['asc', 'desc']) {
    const shown = await order(`content_type=alike&sort=name:${direction}`);
    expect(shown).toEqual(['same_0', 'same_1', 'same_2', 'same_3']);
  }
});

test('breaks ties by the bytes of the id, ascending, whatever the direction', async () => {
  const ids = ['-', '0', '9', 'A', 'Z', '_', 'a', 'a-', 'a0', 'aA', 'a_', 'aa', 'b'];
  await reader.service.importRecords([
    contentType(PRESS, 'tie', [{ handle: 'note', type: 'text' }]),
    ...ids.map((id, index) =>
      content({ id, content_type: 'tie', slug: `tie-${index}`, name: 'Tie', uri: 'tie', fields: { note: { text: 'same' } } }),
    ),
  ]);
  for (const key of ['published_at', 'created_at', 'updated_at', 'name', 'uri', 'note.text']) {
    for (const direction of ['asc', 'desc']) {
      expect(await order(`content_type=tie&sort=${key}:${direction}`), `${key} ${direction}`).toEqual(ids);
    }
  }
});

test('sorts by several keys in the order they are given, each in its own direction', async () => {
  const sorted = (...sorts: string[]) => order(`content_type=pair&${sorts.map((sort) => `sort[]=${sort}`).join('&')}`);
  expect(await sorted('first.text:asc', 'second.number:desc')).toEqual([
    'p_3',
    'p_2',
    'p_6',
    'p_1',
    'p_4',
    'p_5',
    'p_8',
    'p_7',
  ]);
  expect(await sorted('first.text:desc', 'second.number:asc')).toEqual([
    'p_1',
    'p_4',
    'p_2',
    'p_3',
    'p_6',
    'p_8',
    'p_5',
    'p_7',
  ]);
  expect(await sorted('second.number:desc', 'first.text:desc')).toEqual([
    'p_3',
    'p_5',
    'p_1',
    'p_2',
    'p_8',
    'p_4',
    'p_6',
    'p_7',
  ]);
  expect(await sorted('created_at:asc', 'second.number:asc', 'slug:desc')).toEqual([
    'p_8',
    'p_2',
    'p_1',
    'p_5',
    'p_3',
    'p_7',
    'p_6',
    'p_4',
  ]);
});

test('reads several sort values in every array syntax, numbered ones in the order of their numbers', async () => {
  const expected = await order('content_type=pair&sort[0]=second.number:desc&sort[1]=first.text:desc');
  for (const spelling of [
    'sort[1]=first.text:desc&sort[0]=second.number:desc',
    'sort[]=second.number:desc&sort[]=first.text:desc',
    'sort=second.number:desc&sort=first.text:desc',
    'sort%5B%5D=second.number%3Adesc&sort%5B%5D=first.text%3Adesc',
    'sort[]=second.number:desc&sort[]=&sort[]=first.text:desc',
  ]) {
    expect(await order(`content_type=pair&${spelling}`), spelling).toEqual(expected);
  }
});

test('puts content without a value last in both directions, also behind the first key', async () => {
  for (const direction of ['asc', 'desc']) {
    const ids = await order(`content_type=book&sort=pages.number:${direction}`);
    const isLast = ids.indexOf('b_4') > Math.max(...['b_1', 'b_2', 'b_3'].map((id) => ids.indexOf(id)));
    expect(isLast, direction).toBe(true);
    const behind = await order(`content_type=pair&sort=created_at:asc&sort=second.number:${direction}`);
    expect(behind.slice(-3)).toEqual(['p_4', 'p_6', 'p_7']);
  }
});

test('sorts by a field that was added after the content, which then has no value', async () => {
  const fields = [{ handle: 'old', type: 'text' }];
  await reader.service.importRecords([
    contentType(PRESS, 'grown', fields),
    content({ id: 'g_1', content_type: 'grown', fields: { old: { text: 'x' } } }),
    content({ id: 'g_2', content_type: 'grown' }),
  ]);
  await reader.service.importRecords([
    contentType(PRESS, 'grown', [...fields, { handle: 'fresh', type: 'text' }, { handle: 'count', type: 'number' }]),
    content({ id: 'g_0', content_type: 'grown', fields: { fresh: { text: 'b' }, count: { number: 1 } } }),
    content({ id: 'g_3', content_type: 'grown', fields: { fresh: { text: 'a' }, count: { number: 2 } } }),
    content({ id: 'g_4', content_type: 'grown' }),
  ]);
  expect(await order('content_type=grown&sort=fresh.text:asc')).toEqual(['g_3', 'g_0', 'g_1', 'g_2', 'g_4']);
  expect(await order('content_type=grown&sort=fresh.text:desc')).toEqual(['g_0', 'g_3', 'g_1', 'g_2', 'g_4']);
  expect(await order('content_type=grown&sort=count.number:desc')).toEqual(['g_3', 'g_0', 'g_1', 'g_2', 'g_4']);
  expect(await order('content_type=grown&sort=old.text:asc&sort=count.number:desc')).toEqual([
    'g_1',
    'g_3',
    'g_0',
    'g_2',
    'g_4',
  ]);
});

test('refuses an attribute that does not exist', async () => {
  for (const attribute of ['id', 'Name', 'author', 'language', 'fields', 'title', '__proto__', 'constructor']) {
    expect(await refusal(`sort=${attribute}:asc`)).toBe(
      `The sort parameter does not know "${attribute}"; allowed are published_at, created_at, updated_at, name, slug, uri, <handle>.text and <handle>.number.`,
    );
  }
});

test('refuses a direction that does not exist', async () => {
  for (const direction of ['up', 'ASC', 'Desc', '', '1', 'asc:desc', 'asc ', 'ascending']) {
    expect(await refusal(`sort=name:${encodeURIComponent(direction)}`)).toBe(
      `The sort parameter has the direction ${JSON.stringify(direction)}; asc and desc are allowed.`,
    );
  }
});

test('refuses an accessor that does not exist', async () => {
  for (const accessor of ['is_on', 'value', 'Text', '', 'selected_option']) {
    expect(await refusal(`sort=title.${accessor}:asc`)).toBe(
      `The sort parameter has the accessor "${accessor}"; text and number are allowed.`,
    );
  }
});

test('refuses a field that no content type of the site has', async () => {
  for (const handle of ['nothing', 'Title', '', '__proto__', 'a.b']) {
    expect(await refusal(`sort=${handle}.text:asc`)).toBe(
      `The sort parameter names the field "${handle}", which no content type of the site has.`,
    );
  }
});

test('refuses an accessor that does not fit the type of the field', async () => {
  expect(await refusal('sort=title.number:asc')).toMatch(/"title" as number, but its type is text;/);
  expect(await refusal('sort=pages.text:asc')).toMatch(/"pages" as text, but its type is number;/);
  expect(await refusal('sort=shelf.text:asc')).toMatch(/"shelf" as text, but its type is option;/);
});

test('refuses an attribute that is named twice, in whatever direction', async () => {
  expect(await refusal('sort[]=name:asc&sort[]=name:desc')).toBe(
    'The sort parameter names "name" twice; once is allowed.',
  );
  expect(await refusal('sort=name&sort=slug&sort=name:asc')).toContain('"name" twice');
  expect(await refusal('sort=title.text:asc&sort=title.text:desc')).toContain('"title.text" twice');
});

test('takes up to eight sort values, and refuses a ninth', async () => {
  const eight = [...ATTRIBUTES, 'title.text', 'pages.number'].map((key) => `sort[]=${key}:desc`);
  expect((await order(`${LIBRARY_TYPES}&${eight.join('&')}`)).slice(0, 4)).toEqual(['b_1', 'b_2', 'b_3', 'b_4']);
  expect(await refusal([...eight, 'sort[]=minutes.number'].join('&'))).toBe(
    'The sort parameter has 9 values; at most 8 are allowed.',
  );
});

test('sorts within filters, languages and fallbacks as one list', async () => {
  await reader.service.importRecords([
    content({ id: 'c_5_fr', content_type: 'shelf', language: 'fr', translation_of: 'c_5', slug: 'f', name: 'bete' }),
    content({ id: 'c_6_fr', content_type: 'shelf', language: 'fr', slug: 'g', name: 'Dame' }),
  ]);
  const headers = { 'x-service-language': 'fr' };
  const query = 'content_type=shelf&sort=name:asc&fallback_default_language=true';
  expect(idsOf(await reader.list(query, { headers }))).toEqual(['c_2', 'c_5_fr', 'c_4', 'c_6_fr', 'c_1', 'c_3']);
});
