// Reads one content object by its id, or its translation in the asked language.

import { sql } from 'kysely';
import { SHARED_ROOM } from '../../content/answer-limit.ts';
import type { LanguageChoice } from '../../listing/list-query.ts';
import type { Reading } from '../delivery-reads.ts';
import { bodyUpTo, isBodyOf, joinBodies } from '../lists/content-rows.ts';
import { isNotShadowed } from '../lists/list-conditions.ts';
import type { Audience } from '../lists/list-plan.ts';
import {
  type Cells,
  defineStatement,
  NOTHING_COMMON,
  type Procedure,
  type Query,
  query,
  queryCells,
  type Statement,
  slot,
} from '../statement.ts';

/** In the order that `openRow` reads. What is not to be made on the thread that serves all requests is not to be read there. */
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

/** A record that the reader may not see has no translations either: an unpublished id tells nothing. */
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

/** The record that was asked for, as it is. */
export function buildContentQuery(id: string, { memo, audience }: Reading): Query {
  return { statement: selectById[audience], values: { site: memo.catalog.site.no, id }, common: NOTHING_COMMON };
}

/** The record that stands for the one that was asked for, in the chosen language. A large body is left out here too. */
export function* selectTranslation(
  id: string,
  languages: LanguageChoice,
  { memo, audience }: Reading,
): Procedure<Cells | undefined> {
  const site = memo.catalog.site.no;
  const [record] = yield* query<{ translation_group: string }>(selectGroup[audience], { site, id });
  if (record === undefined) return undefined;
  const group = record.translation_group;
  for (const language of [languages.language, languages.fallback]) {
    if (language === null) continue;
    const [row] = yield* queryCells(selectInLanguage[audience], { site, language, group });
    if (row !== undefined) return row;
  }
  return undefined;
}
