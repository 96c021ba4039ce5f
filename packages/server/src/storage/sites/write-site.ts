// Writes what a site is. Saving the same again changes nothing, and keeps every cached answer valid.

import { sql } from 'kysely';
import { insertNumbered, isSame, type NumberedRow, type Written } from '../named-rows.ts';
import { announce, type Change } from '../publication/announce.ts';
import { defineStatement, type Procedure, parseStored, query, slot } from '../statement.ts';

export interface SiteWrite {
  /** Whose a new site is; one that is there already stays where it is. */
  readonly accountNo: number;
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly defaultLanguage: string;
  readonly languages: readonly string[];
}

interface KnownSiteRow extends NumberedRow {
  readonly url: string | null;
  readonly default_language: string;
  readonly languages: string;
}

const selectSiteRow = defineStatement(
  () => sql`select no, name, url, default_language, languages, deletion from sites where id = ${slot('id')}`,
);
const insertSite = defineStatement(
  () => sql`insert into sites (account_no, id, name, url, default_language, languages, generation, preview_generation, catalog,
      shown_catalog, created_at, updated_at)
    values (${slot('account')}, ${slot('id')}, ${slot('name')}, ${slot('url')}, ${slot('default_language')},
      ${slot('languages')}, ${slot('now')}, ${slot('now')}, ${slot('now')}, ${slot('now')}, ${slot('now')}, ${slot('now')})
    returning no`,
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
  const [known] = yield* query<KnownSiteRow>(selectSiteRow, { id: site.id });
  if (known === undefined)
    return yield* insertNumbered(insertSite, { account: site.accountNo, id: site.id, now, ...values });
  if (known.deletion === 'begun') throw new Error(`The site ${site.id} is being deleted`);
  if (known.deletion === 'done') {
    yield* query(reviveSite, { no: known.no, account: site.accountNo, now, ...values });
    yield* announce(known.no, [{ kind: 'site as a whole' }], now);
    return { no: known.no, hasChanged: true };
  }
  if (isSame(known, values)) return { no: known.no, hasChanged: false };
  yield* query(updateSite, { no: known.no, now, ...values });
  yield* announce(known.no, listChanges(known, site), now);
  return { no: known.no, hasChanged: true };
}

function listChanges(before: KnownSiteRow, { url, defaultLanguage, languages }: SiteWrite): readonly Change[] {
  const isRemoved = (language: string): boolean => !languages.includes(language);
  const hasRemoved = parseStored<readonly string[]>(before.languages).some(isRemoved);
  const { default_language: defaultBefore } = before;
  return [
    { kind: 'rest of the catalog' },
    ...(url === before.url ? [] : [{ kind: 'address of the site' } as const]),
    ...(hasRemoved ? [{ kind: 'language that requests can name' } as const] : []),
    ...(defaultLanguage === defaultBefore
      ? []
      : [{ kind: 'default language', before: defaultBefore, after: defaultLanguage } as const]),
  ];
}
