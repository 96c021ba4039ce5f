// Parses the query string of a request against the site's catalog into what to read. Errors become problems.

import { LRUCache } from 'lru-cache';
import type { Catalog } from '../content/catalog.ts';
import { isId } from '../content/ids.ts';
import { fail, ok, type Result } from '../content/result.ts';
import { invalidParameter, PROBLEMS, type Problem } from '../http/problems.ts';
import type { CursorKey } from '../listing/cursor.ts';
import type { ListAddress } from '../listing/envelope.ts';
import {
  type ListRequest,
  type ListShape,
  parseListQuery,
  parseObjectQuery,
  type ShapeMemo,
} from '../listing/list-query.ts';
import type { ListSelection, ObjectSelection, Reading } from '../storage/delivery-reads.ts';
import type { AnswerKey, Wanted } from './delivery-request.ts';

export interface ListRules {
  /** Whether a slug filter that matches nothing is answered as not found. */
  readonly isEmptySlugNotFound: boolean;
  /** Seals the cursors that lists hand out. */
  readonly cursorKey: CursorKey;
}

/** A selection, with what rendering its answer needs. */
export type Asked = AskedObject | AskedList;

interface AskedObject extends ObjectSelection {
  /** Undefined if the answer must not be cached. */
  readonly key: AnswerKey | undefined;
}

export interface AskedList extends ListSelection {
  readonly key: AnswerKey | undefined;
  readonly address: ListRequest & ListAddress;
}

export function parseSelection(
  wanted: Wanted,
  rules: Pick<ListRules, 'cursorKey'>,
  reading: Reading,
  key: AnswerKey | undefined,
): Result<Asked, Problem> {
  const { catalog } = reading.memo;
  if (wanted.kind === 'object') {
    const languages = parseObjectQuery(wanted, catalog);
    if (!languages.ok) return fail(invalidParameter(languages.problem));
    if (!isId(wanted.id)) return fail(PROBLEMS.contentNotFound);
    return ok({ kind: 'object', id: wanted.id, languages: languages.value, reading, key });
  }
  const realm = { key: rules.cursorKey, siteId: catalog.site.id, audience: reading.audience };
  const address = { ...wanted, realm };
  const query = parseListQuery(address, catalog, findKnownShapes(catalog));
  if (!query.ok) return fail(invalidParameter(query.problem));
  return ok({ kind: 'list', query: query.value, reading, key, address });
}

const MOST_SHAPES_KEPT = 500;

/** The parsed lists of a site. They are valid as long as its catalog is. */
const shapesByCatalog = new WeakMap<Catalog, LRUCache<string, ListShape>>();

function findKnownShapes(catalog: Catalog): ShapeMemo {
  const known = shapesByCatalog.get(catalog);
  if (known !== undefined) return known;
  const shapes = new LRUCache<string, ListShape>({ max: MOST_SHAPES_KEPT });
  shapesByCatalog.set(catalog, shapes);
  return shapes;
}
