// Which content may name an asset, in its newest or its published version. Versions hold the ids of assets inside their
// values, so they are looked through, a stretch of the site's content at a time. A hit may still be a text that only
// reads like the id: whoever asks has to look into the values.

import { sql } from 'kysely';
import type { FieldValues } from '../../content/field-value.ts';
import { buildContainsPattern } from '../name-page.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { parseStored } from '../stored-json.ts';

export interface AssetHit {
  readonly id: string;
  readonly name: string;
  readonly typeNo: number;
  readonly fields: FieldValues;
}

export interface AssetHits {
  readonly hits: readonly AssetHit[];
  /** Where the next stretch begins; null when all of the site's content was looked through. */
  readonly next: string | null;
}

interface HitRow {
  readonly id: string;
  readonly name: string;
  readonly type_no: number;
  readonly fields: string;
}

const STRETCH = 500;

const selectEnd = defineStatement(
  () => sql`select id from contents where site_no = ${slot('site')} and id > ${slot('after')}
    order by id limit 1 offset ${slot('skip')} + 0`,
);
const selectHits = defineStatement(
  () => sql`select c.id, c.name, c.type_no, v.fields from contents as c
    join content_versions as v on v.content_no = c.no and v.number in (c.newest_version, c.published_version)
    where c.site_no = ${slot('site')} and c.id > ${slot('after')} and c.id <= ${slot('end')}
      and v.fields like ${slot('pattern')} escape '\\'
    order by c.id`,
);
/** Greater than every id: ids are ASCII. */
const END_OF_IDS = '~';

/** @param after an id behind which to begin; empty for the beginning */
export function* selectAssetHits(siteNo: number, assetId: string, after: string): Procedure<AssetHits> {
  const [last] = yield* query<{ id: string }>(selectEnd, { site: siteNo, after, skip: STRETCH - 1 });
  const end = last?.id ?? END_OF_IDS;
  const pattern = buildContainsPattern(JSON.stringify(assetId));
  const rows = yield* query<HitRow>(selectHits, { site: siteNo, after, end, pattern });
  const hits = rows.map(({ id, name, type_no, fields }) => ({
    id,
    name,
    typeNo: type_no,
    fields: parseStored<FieldValues>(fields),
  }));
  return { hits, next: last?.id ?? null };
}
