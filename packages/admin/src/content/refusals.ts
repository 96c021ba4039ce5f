// Extracts from an error the pages that prevented content from being published, unpublished or archived.

import { isConflict, isNamedContent, type NamedContent } from '../api/api-error.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';

export interface LinkedPages {
  /** For example `4 published pages link here. Their links will stop working.` */
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

/** A URL and the published page that uses it. */
export interface TakenUrl {
  /** Relative to the site's URL. */
  readonly path: string;
  readonly page: NamedContent;
}

/** The page that uses the URL; undefined if publishing was refused for a different reason. */
export function readTakenUrl(error: unknown): TakenUrl | undefined {
  if (!isConflict(error) || error.details.reason !== 'url_taken') return undefined;
  const { path, content } = error.details;
  if (typeof path !== 'string' || !isNamedContent(content)) return undefined;
  return { path, page: { id: content.id, name: content.name } };
}
