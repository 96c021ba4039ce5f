// Writes new content in batches, for imports. The result is the same as if each object were written individually, but fewer statements are
// needed. No other content may have the same id, group or slug.

import { sql } from 'kysely';
import type { Typeset } from '../../content/typeset.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import type { Transaction } from '../engine.ts';
import type { ReadModel } from '../publication/read-model.ts';
import { showNewContents } from '../publication/show-content.ts';
import { defineStatement, type Procedure, query, slot } from '../statement.ts';
import { type ContentRecord, insertRecords } from './content-records.ts';
import { insertAssetUses } from './content-uses.ts';
import { type EncodedVersion, insertVersions } from './content-versions.ts';

/** With fewer objects, rebuilding all indexes costs more than it saves. */
export const LEAST_CONTENTS = 1000;

/** Indexes that an import does not need while it writes. */
const LIST_INDEXES =
  /^(published|preview)_(contents|texts|numbers)_|^contents_(updated_at|created_at|name_key|author|type)$|^content_versions_author$/;

const selectBehind = defineStatement(
  () => sql`select no from contents order by no limit 1 offset ${slot('count')} + 0`,
);

/**
 * Used to write a lot of content at once. Indexes that only lists need are rebuilt at the end.
 * @param expected the approximate number of content objects to write
 * @param work receives true if it writes most of the database's content, and false if it adds to existing content
 */
export async function fillContents<Outcome>(
  transaction: Transaction,
  expected: number,
  work: (isFill: boolean) => Promise<Outcome>,
): Promise<Outcome> {
  const isFill = expected >= LEAST_CONTENTS && !(await transaction.run(hasMoreContents(expected)));
  return isFill
    ? transaction.fill(
        (index) => LIST_INDEXES.test(index),
        () => work(true),
      )
    : work(false);
}

function* hasMoreContents(count: number): Procedure<boolean> {
  return (yield* query(selectBehind, { count })).length > 0;
}

export interface NewContent {
  /** The record is in its own translation group, and has the slug, name and author of its only version. */
  readonly record: ContentRecord;
  readonly version: Pick<EncodedVersion, 'uri' | 'savedAt' | 'seo' | 'fields'>;
  /** Null for content that is not in any read model. */
  readonly shown: { readonly model: ReadModel; readonly uri: string; readonly typeset: Typeset } | null;
  readonly links: readonly string[];
  readonly assets: readonly string[];
  /** The number of links, assets and blocks in the content, with repeated ones counted each time they occur. */
  readonly references: number;
}

const selectSameIdOrGroup = defineBatchStatement(
  (list) => sql`select id from contents where site_no = ${slot('site')} and id in (${list})
    union all select id from contents where site_no = ${slot('site')} and translation_group in (${list})`,
);
const selectSameSlug = defineBatchStatement(
  (list) => sql`select id from contents where site_no = ${slot('site')} and type_no = ${slot('type')}
      and language = ${slot('language')} and slug in (${list}) and status <> 'archived'
    union all select id from published_contents where site_no = ${slot('site')} and language = ${slot('language')}
      and type_no = ${slot('type')} and slug in (${list})`,
);

/** Whether any of the objects has the same id, group or slug as other content in the database or in the batch. */
export function* meetsOthers(contents: readonly NewContent[]): Procedure<boolean> {
  for (const records of groupBy(contents, ({ siteNo }) => `${siteNo}`)) {
    const ids = records.map(({ id }) => id);
    if (hasRepeated(ids)) return true;
    const site = records[0]?.siteNo ?? null;
    if ((yield* queryBatch(selectSameIdOrGroup, ids, { site })).length > 0) return true;
  }
  for (const records of groupBy(contents, ({ siteNo, typeNo, language }) => `${siteNo} ${typeNo} ${language}`)) {
    const [first] = records;
    const slugs = records.filter(({ status }) => status !== 'archived').map((record) => record.slug);
    if (first === undefined || slugs.length === 0) continue;
    if (hasRepeated(slugs)) return true;
    const place = { site: first.siteNo, type: first.typeNo, language: first.language };
    if ((yield* queryBatch(selectSameSlug, slugs, place)).length > 0) return true;
  }
  return false;
}

function groupBy(
  contents: readonly NewContent[],
  nameGroup: (record: ContentRecord) => string,
): readonly (readonly ContentRecord[])[] {
  return [
    ...Map.groupBy(
      contents.map(({ record }) => record),
      nameGroup,
    ).values(),
  ];
}

function hasRepeated(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length;
}

/** All content objects belong to one site. Returns the numbers assigned by the database, in the same order. */
export function* insertContents(contents: readonly NewContent[], now: number): Procedure<readonly number[]> {
  const numbers = yield* insertRecords(contents.map(({ record }) => record));
  if (numbers.length < contents.length) throw new Error('An inserted row is missing');
  const numbered = contents.map((content, index) => ({ ...content, no: numbers[index] ?? 0 }));
  yield* insertVersions(
    numbered.map(({ no, record, version }) => ({
      ...version,
      contentNo: no,
      number: record.newestVersion,
      name: record.name,
      slug: record.slug,
      authorNo: record.authorNo,
      savedBy: null,
    })),
  );
  const [first] = contents;
  const shown = numbered.map(({ no, record, shown: place }) => {
    const row = place && { ...record, contentNo: no, uri: place.uri, typeset: place.typeset };
    return {
      published: place?.model === 'published' ? row : null,
      preview: place?.model === 'preview' ? row : null,
    };
  });
  if (first !== undefined) yield* showNewContents(first.record.siteNo, shown, now);
  for (const { no, record, assets } of numbered) {
    const standing = record.status === 'published' ? 'published' : 'newest';
    yield* insertAssetUses({ no, siteNo: record.siteNo }, standing, assets);
  }
  return numbers;
}
