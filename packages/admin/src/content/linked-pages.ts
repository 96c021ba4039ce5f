// Why published content was not unpublished or archived: other published pages link to it.

import { isConflict } from '../api/api-error.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';

interface LinkedPage {
  readonly id: string;
  readonly name: string;
}

export interface LinkedPages {
  /** `4 published pages link here. Their links will stop working.` */
  readonly text: string;
  /** The first of these pages. */
  readonly pages: readonly LinkedPage[];
}

/** Undefined for all other errors. */
export function readLinkedPages(error: unknown): LinkedPages | undefined {
  const { linked_from: pages, total, has_more: hasMore } = isConflict(error) ? error.details : {};
  if (!Array.isArray(pages) || typeof total !== 'number') return undefined;
  return { text: CONTENT_TEXTS.linkedFrom(total, hasMore === true), pages: pages.filter(isLinkedPage) };
}

function isLinkedPage(value: unknown): value is LinkedPage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'name' in value &&
    typeof value.name === 'string'
  );
}
