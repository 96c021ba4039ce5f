// Content for sort tests. Each attribute puts it in a different order. Some fields are shared by several types, and some are missing or
// empty.

import { at, content, contentType, PRESS, site } from './records.ts';

/** Sorting this content by different attributes results in different orders. */
export const SHELF = [
  { id: 'c_1', name: 'delta', slug: 'cc', uri: 'b/1', published_at: at(3), created_at: at(4), updated_at: at(15) },
  { id: 'c_2', name: 'alpha', slug: 'dd', uri: 'a/9', published_at: at(5), created_at: at(1), updated_at: at(13) },
  { id: 'c_3', name: 'echo', slug: 'aa', uri: 'c/4', published_at: at(1), created_at: at(5), updated_at: at(11) },
  { id: 'c_4', name: 'bravo', slug: 'ee', uri: 'a/10', published_at: at(4), created_at: at(2), updated_at: at(14) },
  { id: 'c_5', name: 'charlie', slug: 'bb', uri: 'd', published_at: at(2), created_at: at(3), updated_at: at(12) },
] as const;

export const ATTRIBUTES = ['published_at', 'created_at', 'updated_at', 'name', 'slug', 'uri'] as const;

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
  content({
    id: 'f_1',
    content_type: 'film',
    name: 'film one',
    published_at: at(5),
    fields: { title: { text: 'mango' } },
  }),
  content({
    id: 'f_2',
    content_type: 'film',
    name: 'film two',
    published_at: at(4),
    fields: { minutes: { number: 90 } },
  }),
  content({ id: 'a_thing', content_type: 'thing', name: 'thing one', published_at: at(3) }),
  content({ id: 'z_thing', content_type: 'thing', name: 'thing two', published_at: at(2) }),
];

/** Content with both values, only one of them, or neither. */
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

/** A filter that matches the library's content types. */
export const LIBRARY_TYPES = 'content_type=book&content_type=film&content_type=thing&match=any';

export const LIBRARY_RECORDS: readonly object[] = [
  site(PRESS, { languages: ['en', 'fr'] }),
  contentType(PRESS, 'shelf', []),
  contentType(PRESS, 'book', BOOK),
  contentType(PRESS, 'film', FILM),
  contentType(PRESS, 'thing', []),
  contentType(PRESS, 'pair', [
    { handle: 'first', type: 'text' },
    { handle: 'second', type: 'number' },
  ]),
  ...SHELF.map((parts) => content({ ...parts, content_type: 'shelf' })),
  ...LIBRARY,
  ...PAIRS,
];
