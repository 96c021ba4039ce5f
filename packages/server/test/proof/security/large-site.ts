// A site whose content is large in every way that content can be.

import { content, contentType, PRESS, site } from '../../conformance/records.ts';

/** Half of them in ASCII, and half with the same number of bytes in characters of one to three bytes. */
export const LARGE = Array.from({ length: 8 }, (_, index) => `c_large_${index}`);
/** Each object is small enough to be read as part of a list, but all of them together are not. */
const MANY = Array.from({ length: 100 }, (_, index) => `c_many_${100 + index}`);

/** @param share 1 for objects of 3.5 MB, which is almost the maximum */
export function buildLargeSite(share: number): readonly object[] {
  const ascii = 'fifteen letters'.repeat(233_000 * share);
  const wide = 'caf\u00e9 \u20ac'.repeat(388_000 * share);
  return [
    site(PRESS),
    contentType(PRESS, 'large', [{ handle: 'lines', type: 'list' }]),
    contentType(PRESS, 'many', [{ handle: 'lines', type: 'list' }]),
    contentType(PRESS, 'hub', [{ handle: 'related', type: 'content_links' }]),
    ...LARGE.map((id, index) => build(id, 'large', index % 2 === 0 ? ascii : wide)),
    ...MANY.map((id) => build(id, 'many', 'caf\u00e9 \u20ac'.repeat(25_000 * share))),
    content({ id: 'c_hub', content_type: 'hub', fields: { related: { content_links: LARGE } } }),
  ];
}

function build(id: string, type: string, text: string): object {
  return content({ id, content_type: type, fields: { lines: { list: [`${id} ${text}`] } } });
}

/** Queries, and the megabytes in their responses if the objects have their full size. */
export const LARGE_TARGETS = [
  ['a list of large objects', '?content_type=large&limit=8', 27],
  ['a list of many objects', '?content_type=many&limit=100', 22],
  ['an object that embeds large ones', '/c_hub', 27],
  ['a large object', '/c_large_1', 3],
] as const;

/** When schedules are due. */
export const DUE = '2990-01-01T00:00:00+00:00';
const RELATED = { content_links: LARGE };

/** What an editor does with a small object that embeds large ones: the method, path and body of each call, and its status. */
export const EDITS: readonly (readonly [method: string, path: string, body: object | undefined, status: number])[] = [
  ['GET', '/c_hub', undefined, 200],
  ['GET', '/c_hub/delivered', undefined, 200],
  ['POST', '/c_hub/validate', { fields: { related: RELATED } }, 200],
  ['PUT', '/c_hub', { version: 1, fields: { related: { content_links: LARGE.slice(1) } } }, 200],
  ['POST', '/c_hub/publish', {}, 200],
  ['POST', '', { id: 'c_second_hub', content_type: 'hub', name: 'Second', fields: { related: RELATED } }, 201],
  ['POST', '/c_second_hub/schedule', { publish_at: DUE }, 200],
];
