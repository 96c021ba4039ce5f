// Selects a content object by its id, or its translation into the requested language.

import { sql } from 'kysely';
import { type AnswerRoom, SHARED_ROOM } from '../../content/answer-limit.ts';
import type { Catalog } from '../../content/catalog.ts';
import type { LanguageChoice } from '../../listing/list-query.ts';
import {
  bodyUpTo,
  type ContentRow,
  lacksBody,
  type OversizedPage,
  openLargeRows,
  openRow,
} from '../lists/content-rows.ts';
import { type Audience, isBodyOf, isNotShadowed, joinBodies } from '../publication/read-model.ts';
import {
  type Cells,
  defineStatement,
  NOTHING_COMMON,
  type Procedure,
  query,
  queryCells,
  type Statement,
  slot,
} from '../statement.ts';

/** The columns are in the order that `openRow` expects. The main thread does not read bodies that are too large for it. */
const columns = sql`p.id, ${bodyUpTo(SHARED_ROOM.bytesRead)}`;

const published = sql`published_contents as p ${joinBodies('published')}`;
const preview = sql`preview_contents as p ${joinBodies('preview')}`;

const selectById: Readonly<Record<Audience, Statement>> = {
  public: defineStatement(
    () => sql`select ${columns} from ${published}
      where p.site_no = ${slot('site')} and p.id = ${slot('id')} and ${isBodyOf('p')}`,
  ),
  preview: defineStatement(
    () => sql`select ${columns} from ${published}
        where p.site_no = ${slot('site')} and p.id = ${slot('id')} and ${isBodyOf('p')} and ${isNotShadowed('p')}
      union all select ${columns} from ${preview}
        where p.site_no = ${slot('site')} and p.id = ${slot('id')} and ${isBodyOf('p')}`,
  ),
};

const selectInLanguage: Readonly<Record<Audience, Statement>> = {
  public: defineStatement(
    () => sql`select ${columns} from ${published} where p.site_no = ${slot('site')}
      and p.language = ${slot('language')} and p.translation_group = ${slot('group')} and ${isBodyOf('p')}`,
  ),
  preview: defineStatement(
    () => sql`select ${columns} from ${published} where p.site_no = ${slot('site')}
        and p.language = ${slot('language')} and p.translation_group = ${slot('group')} and ${isBodyOf('p')}
        and ${isNotShadowed('p')}
      union all select ${columns} from ${preview} where p.site_no = ${slot('site')}
        and p.language = ${slot('language')} and p.translation_group = ${slot('group')} and ${isBodyOf('p')}`,
  ),
};

/** If a reader must not see a record, its translations are not returned either, because an unpublished id must reveal nothing. */
const selectGroup: Readonly<Record<Audience, Statement>> = {
  public: defineStatement(
    () => sql`select translation_group from published_contents
      where site_no = ${slot('site')} and id = ${slot('id')}`,
  ),
  preview: defineStatement(
    () => sql`select translation_group from published_contents where site_no = ${slot('site')} and id = ${slot('id')}
      union select translation_group from preview_contents where site_no = ${slot('site')} and id = ${slot('id')}`,
  ),
};

/** A page that contains only the requested object. */
export interface ObjectPage {
  readonly mode: 'object';
  readonly rows: readonly ContentRow[];
}

/** Everything needed to read one object. */
interface ObjectReading {
  readonly memo: { readonly catalog: Catalog };
  readonly audience: Audience;
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
  const { memo, audience, room, shared } = reading;
  if (shared !== undefined && !shared.has(id)) return undefined;
  const siteNo = memo.catalog.site.no;
  // This is the most frequent read, so it yields its only query directly, without another generator.
  const found =
    languages === null
      ? (yield { statement: selectById[audience], values: { site: siteNo, id }, common: NOTHING_COMMON }).rows[0]
      : yield* selectTranslation(id, languages, reading);
  if (found === undefined) return undefined;
  const rows = lacksBody(found) ? yield* openLargeRows({ siteNo, audience }, [found], room) : [openRow(found)];
  return rows === undefined ? OVERSIZED : { mode: 'object', rows };
}

/** The translation of the requested record into the chosen language. A large body is left out here too. */
function* selectTranslation(
  id: string,
  languages: LanguageChoice,
  { memo, audience, shared }: ObjectReading,
): Procedure<Cells | undefined> {
  const site = memo.catalog.site.no;
  const [record] = yield* query<{ translation_group: string }>(selectGroup[audience], { site, id });
  if (record === undefined) return undefined;
  const group = record.translation_group;
  for (const language of [languages.language, languages.fallback]) {
    if (language === null) continue;
    const [row] = yield* queryCells(selectInLanguage[audience], { site, language, group });
    if (row !== undefined && (shared === undefined || shared.has(String(row[0])))) return row;
  }
  return undefined;
}
