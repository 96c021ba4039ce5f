// Writes what a site is made of. Each write says whether it changed anything, so that saving the same again moves no
// generation and keeps every cached answer valid.

import { sql } from 'kysely';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { insertNumbered, isSame, type NumberedRow, type Written } from './written.ts';

export interface SiteWrite {
  /** Whose a new site is; one that is there already stays where it is. */
  readonly accountNo: number;
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly defaultLanguage: string;
  readonly languages: readonly string[];
}

const selectSiteRow = defineStatement(
  () => sql`select no, name, url, default_language, languages, deletion from sites where id = ${slot('id')}`,
);
const insertSite = defineStatement(
  () => sql`insert into sites (account_no, id, name, url, default_language, languages, generation, catalog, created_at, updated_at)
    values (${slot('account')}, ${slot('id')}, ${slot('name')}, ${slot('url')}, ${slot('default_language')},
      ${slot('languages')}, ${slot('now')}, ${slot('now')}, ${slot('now')}, ${slot('now')}) returning no`,
);
const updateSite = defineStatement(
  () => sql`update sites set name = ${slot('name')}, url = ${slot('url')}, default_language = ${slot('default_language')},
    languages = ${slot('languages')}, updated_at = ${slot('now')} where no = ${slot('no')}`,
);

/** The row of a deleted site: its numbers go on from where they were. */
const reviveSite = defineStatement(
  () => sql`update sites set account_no = ${slot('account')}, name = ${slot('name')}, url = ${slot('url')},
    default_language = ${slot('default_language')}, languages = ${slot('languages')}, deletion = null,
    created_at = ${slot('now')}, updated_at = ${slot('now')} where no = ${slot('no')}`,
);

/** Not for the id of a site that is being deleted: see `isDeletionUnfinished`. */
export function* writeSite(site: SiteWrite, now: number): Procedure<Written> {
  const values = {
    name: site.name,
    url: site.url,
    default_language: site.defaultLanguage,
    languages: JSON.stringify(site.languages),
  };
  const [known] = yield* query<NumberedRow>(selectSiteRow, { id: site.id });
  if (known === undefined)
    return yield* insertNumbered(insertSite, { account: site.accountNo, id: site.id, now, ...values });
  if (known.deletion === 'begun') throw new Error(`The site ${site.id} is being deleted`);
  if (known.deletion === 'done') {
    yield* query(reviveSite, { no: known.no, account: site.accountNo, now, ...values });
    yield* moveGeneration(known.no, true, now);
    return { no: known.no, hasChanged: true };
  }
  if (isSame(known, values)) return { no: known.no, hasChanged: false };
  yield* query(updateSite, { no: known.no, now, ...values });
  return { no: known.no, hasChanged: true };
}

// Both numbers are times, so that no other history of the same database (a backup that was brought back, a replica that
// was promoted) has used them: nodes find answers by the one, clients hold the other in ETags.
const nextGeneration = sql`case when generation >= ${slot('now')} then generation + 1 else ${slot('now')} end`;
const moveGenerationRow = defineStatement(
  () => sql`update sites set generation = ${nextGeneration} where no = ${slot('no')}`,
);
const moveCatalogRow = defineStatement(
  () => sql`update sites set generation = ${nextGeneration},
    catalog = case when catalog >= ${slot('now')} then catalog + 1 else ${slot('now')} end where no = ${slot('no')}`,
);

/** To be called in the transaction that changes anything that a reader of the site can see. */
export function* moveGeneration(siteNo: number, hasCatalogChanged: boolean, now: number): Procedure<void> {
  yield* query(hasCatalogChanged ? moveCatalogRow : moveGenerationRow, { no: siteNo, now });
}
