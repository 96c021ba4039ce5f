// Saves with as much HTML as the service accepts, on a site whose type has ten HTML fields.

import type { Manager } from '../../management/manager.ts';

const SITE = 's_cleaning';
export const CONTENT = `/sites/${SITE}/content`;
const FIELDS = 10;
/** The maximum length of an HTML field. */
const MOST_CHARACTERS = 400_000;

/** Creates the site and its type. */
export async function addHtmlType(manager: Manager): Promise<void> {
  await manager.expectOk('POST', '/sites', { id: SITE, name: 'Cleaning' });
  const fields = Array.from({ length: FIELDS }, (_, index) => ({
    handle: `html_${index}`,
    name: 'HTML',
    type: 'text',
    format: 'html',
  }));
  await manager.expectOk('POST', `/sites/${SITE}/types`, { handle: 'page', name: 'Page', fields });
}

/** Values that all have this length and are different. */
export function buildHtml(piece: string, length: number, fields = FIELDS): object {
  const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  return Object.fromEntries(
    Array.from({ length: fields }, (_, index) => [`html_${index}`, { text: `${text}${index}` }]),
  );
}

/** The HTML of each field, as a piece that is repeated up to a length, and the status of the response. */
export const SAVES: readonly (readonly [name: string, piece: string, length: number, status: number])[] = [
  ['nothing but <', '<', MOST_CHARACTERS - 1, 422],
  ['endless elements', '<b>', MOST_CHARACTERS - 1, 422],
  ['endless attributes', "<a href='", MOST_CHARACTERS - 1, 422],
  ['endless paragraphs', '<p>', 40_000, 201],
  ['entities', '&#1;', 40_000, 201],
  ['pictures with many sizes', '<img srcset="a 1x, b 2x, c 3x">', 40_000, 201],
  ['ordinary paragraphs', '<p>Some <b>words</b> &amp; more of them.</p>', MOST_CHARACTERS - 1, 201],
];
