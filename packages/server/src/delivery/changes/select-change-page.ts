// Selects a page of changes and, if requested, the current content of the changed objects, rendered exactly as in a fetch by id.

import { placeFiles, renderContent } from '../../content/render-content.ts';
import {
  type ChangePage,
  type ChangeSelection,
  type FoundChange,
  selectChanges,
} from '../../storage/changes/select-changes.ts';
import type { DeliveryReads, FoundContents, Reading } from '../../storage/delivery-reads.ts';
import { DamagedContent } from '../../storage/lists/content-rows.ts';
import type { Procedure } from '../../storage/statement.ts';

export interface FilledPage extends ChangePage {
  /** The rendered objects, without duplicates; null if the request does not ask for them. */
  readonly content: readonly string[] | null;
  /** The ids of objects that must be fetched separately, because they are too large or damaged. */
  readonly tooLarge: readonly string[];
}

export interface PageSelection extends ChangeSelection {
  readonly hasContent: boolean;
  /** The base of the URLs in the content. */
  readonly baseUrl: string;
  readonly noteDamage: (damage: DamagedContent) => void;
}

/** Returns undefined if the position is not in the log. */
export function* selectChangePage(
  reads: Pick<DeliveryReads, 'selectContents'>,
  reading: Reading,
  selection: PageSelection,
): Procedure<FilledPage | undefined> {
  const page = yield* selectChanges(reading.memo.catalog.site, selection);
  if (page === undefined || !selection.hasContent) return page && { ...page, content: null, tooLarge: [] };
  return yield* addContent(page, reads, reading, selection);
}

/**
 * Shortens the page if the content of all its objects is too large for one response, or if one of them is damaged. A damaged object must
 * not keep readers from getting later changes.
 */
function* addContent(
  page: ChangePage,
  reads: Pick<DeliveryReads, 'selectContents'>,
  reading: Reading,
  selection: PageSelection,
): Procedure<FilledPage> {
  let { changes } = page;
  for (;;) {
    const ids = [...new Set(changes.map(({ id }) => id))];
    const content = yield* renderObjects(ids, reads, reading, selection);
    if (content !== undefined) return { ...endAfter(page, changes), content, tooLarge: [] };
    if (ids.length === 1) return { ...endAfter(page, changes), content: [], tooLarge: ids };
    changes = changes.slice(0, Math.ceil(changes.length / 2));
  }
}

function* renderObjects(
  ids: readonly string[],
  reads: Pick<DeliveryReads, 'selectContents'>,
  reading: Reading,
  { baseUrl, noteDamage }: PageSelection,
): Procedure<readonly string[] | undefined> {
  if (ids.length === 0) return [];
  let found: FoundContents | undefined;
  try {
    found = yield* reads.selectContents(ids, reading);
  } catch (error) {
    if (!(error instanceof DamagedContent)) throw error;
    if (ids.length === 1) noteDamage(error);
    return undefined;
  }
  if (found === undefined) return undefined;
  const related = placeFiles(found.related, baseUrl);
  const objects: string[] = [];
  let size = 0;
  for (const row of found.rows) {
    const object = renderContent(row, related, reading.memo.templates);
    size += object.length;
    if (size > reading.room.characters) return undefined;
    objects.push(object);
  }
  return objects;
}

/** @param changes the changes to keep, from the start of the page */
function endAfter(page: ChangePage, changes: readonly FoundChange[]): ChangePage {
  const last = changes.at(-1);
  if (last === undefined || changes.length === page.changes.length) return page;
  return { changes, next: last.position, hasMore: true, endsSync: false };
}
