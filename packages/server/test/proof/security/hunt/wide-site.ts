// A site with the most expensive lists possible: many objects share their values, so filters match all of them and sorts have to compare
// every key. It has two languages, links, authors, and missing values.

import { at, author, content, contentType, PRESS, site } from '../../../conformance/records.ts';

export const OBJECTS = 20_000;
export const AUTHORS = ['a_0', 'a_1', 'a_2'];
/** The number of different values in the field with this index. If there is only one, all objects have the same value. */
const VALUES = [1, 2, 100, OBJECTS];
/** Fields whose text is sanitised. */
export const RICH_FIELDS = Array.from({ length: 10 }, (_, index) => `h${index}`);
export const MARKDOWN_FIELDS = ['m0', 'm1'];

export function buildWideSite(): readonly object[] {
  const fields = [
    ...VALUES.map((_, index) => ({ handle: `n${index}`, type: 'number' })),
    ...VALUES.map((_, index) => ({ handle: `t${index}`, type: 'text' })),
    { handle: 'on', type: 'boolean' },
    { handle: 'links', type: 'content_links' },
  ];
  const rich = [
    ...RICH_FIELDS.map((handle) => ({ handle, type: 'text', format: 'html' })),
    ...MARKDOWN_FIELDS.map((handle) => ({ handle, type: 'text', format: 'markdown' })),
  ];
  return [
    site(PRESS, { languages: ['en', 'de'] }),
    contentType(PRESS, 'note', fields),
    contentType(PRESS, 'page', rich),
    ...AUTHORS.map((id) => author(id, `Author ${id}`)),
    ...Array.from({ length: OBJECTS }, (_, index) => buildNote(index)),
    ...Array.from({ length: 20 }, (_, index) => content({ id: `c_page_${index}`, content_type: 'page' })),
  ];
}

function buildNote(index: number): object {
  const numbers = VALUES.map((count, field) => [`n${field}`, { number: index % count }] as const);
  const texts = VALUES.map((count, field) => [`t${field}`, { text: `Value ${index % count}` }] as const);
  const hasGaps = index % 10 === 9;
  return content({
    id: `c_${index}`,
    language: index % 4 === 3 ? 'de' : 'en',
    author: AUTHORS[index % AUTHORS.length] ?? null,
    published_at: at(1 + (index % 28)),
    fields: {
      ...Object.fromEntries([...numbers, ...texts].slice(0, hasGaps ? 5 : undefined)),
      on: { is_on: true },
      links: { content_links: ['c_0', 'c_1', 'c_2'] },
    },
  });
}
