// Selects a content object by its id, or its translation into the requested language.

import type { AnswerRoom } from '../../content/answer-limit.ts';
import type { Catalog } from '../../content/catalog.ts';
import type { LanguageChoice } from '../../listing/list-query.ts';
import { type ContentRow, lacksBody, type OversizedPage, openLargeRows, openRow } from '../lists/content-rows.ts';
import { type Cells, NOTHING_COMMON, type Procedure, query, queryCells } from '../statement.ts';
import type { View } from '../views.ts';

/** A page that contains only the requested object. */
export interface ObjectPage {
  readonly mode: 'object';
  readonly rows: readonly ContentRow[];
}

/** Everything needed to read one object. */
interface ObjectReading {
  readonly memo: { readonly catalog: Catalog };
  readonly view: View;
  readonly room: AnswerRoom;
  /** If set, only content with these ids can be read. A translation with any other id counts as missing. */
  readonly shared?: ReadonlySet<string>;
}

const OVERSIZED: OversizedPage = { mode: 'oversized', objects: 1 };

/** @param languages null to select the record itself */
export function* selectObject(
  id: string,
  languages: LanguageChoice | null,
  reading: ObjectReading,
): Procedure<ObjectPage | OversizedPage | undefined> {
  const { memo, view, room, shared } = reading;
  if (shared !== undefined && !shared.has(id)) return undefined;
  const siteNo = memo.catalog.site.no;
  // This is the most frequent read, so it yields its only query directly, without another generator.
  const found =
    languages === null
      ? (yield { statement: view.selectById, values: { site: siteNo, id }, common: NOTHING_COMMON }).rows[0]
      : yield* selectTranslation(id, languages, reading);
  if (found === undefined) return undefined;
  const rows = lacksBody(found) ? yield* openLargeRows([found], siteNo, view.selectBodies, room) : [openRow(found)];
  return rows === undefined ? OVERSIZED : { mode: 'object', rows };
}

/** The translation of the requested record into the chosen language. A large body is left out. */
function* selectTranslation(
  id: string,
  languages: LanguageChoice,
  { memo, view, shared }: ObjectReading,
): Procedure<Cells | undefined> {
  const site = memo.catalog.site.no;
  const [record] = yield* query<{ translation_group: string }>(view.selectGroup, { site, id });
  if (record === undefined) return undefined;
  const group = record.translation_group;
  for (const language of [languages.language, languages.fallback]) {
    if (language === null) continue;
    const [row] = yield* queryCells(view.selectInLanguage, { site, language, group });
    if (row !== undefined && (shared === undefined || shared.has(String(row[0])))) return row;
  }
  return undefined;
}
