// Why published content was not unpublished or archived: other published pages link to it.

import { isConflict, isNamedContent, type NamedContent } from '../api/api-error.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';

export interface LinkedPages {
  /** `4 published pages link here. Their links will stop working.` */
  readonly text: string;
  /** The first of these pages. */
  readonly pages: readonly NamedContent[];
}

/** Undefined for all other errors. */
export function readLinkedPages(error: unknown): LinkedPages | undefined {
  const { linked_from: pages, total, has_more: hasMore } = isConflict(error) ? error.details : {};
  if (!Array.isArray(pages) || typeof total !== 'number') return undefined;
  return { text: CONTENT_TEXTS.linkedFrom(total, hasMore === true), pages: pages.filter(isNamedContent) };
}
