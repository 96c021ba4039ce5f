// What content stands in the way of taking a language from a site, or of making another one the default.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import type { Uses, UsingContent } from '../uses.ts';

const selectCount = defineStatement(
  () => sql`select count(*) as total from contents where site_no = ${slot('site')} and language = ${slot('language')}`,
);
// Archived content is in use nowhere: it is no default for its group, and needs none.
const withoutTranslation = sql`from contents as c
  where c.site_no = ${slot('site')} and c.language = ${slot('from')} and c.status <> 'archived'
  and not exists (select 1 from contents as t where t.site_no = c.site_no
    and t.translation_group = c.translation_group and t.language = ${slot('to')} and t.status <> 'archived')`;
const selectUntranslatedCount = defineStatement(() => sql`select count(*) as total ${withoutTranslation}`);
const selectUntranslated = defineStatement(
  () => sql`select c.id, c.name ${withoutTranslation} order by c.id limit ${slot('limit')} + 0`,
);

/** In whatever state it is. */
export function* countContentIn(siteNo: number, language: string): Procedure<number> {
  return (yield* query<{ total: number }>(selectCount, { site: siteNo, language }))[0]?.total ?? 0;
}

/** Content in one language whose group has no record in another one; whatever is archived counts on neither side. */
export function* selectUntranslatedContent(
  siteNo: number,
  languages: { readonly from: string; readonly to: string },
  limit: number,
): Procedure<Uses> {
  const values = { site: siteNo, from: languages.from, to: languages.to };
  const [row] = yield* query<{ total: number }>(selectUntranslatedCount, values);
  const total = row?.total ?? 0;
  const contents = total === 0 ? [] : yield* query<UsingContent>(selectUntranslated, { ...values, limit });
  return { total, contents };
}
