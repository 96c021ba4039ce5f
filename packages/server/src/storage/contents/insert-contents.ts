// New content by the hundred: what writing each by itself would leave, in few statements. Only content that meets nothing
// of what is there may come this way.

import { sql } from 'kysely';
import type { Typeset } from '../../content/typeset.ts';
import { defineBatchStatement, queryBatch } from '../batch.ts';
import type { ReadModel } from '../lists/list-plan.ts';
import { showNewContents } from '../publication/show-content.ts';
import { type Procedure, slot } from '../statement.ts';
import { type ContentRecord, insertRecords } from './content-records.ts';
import { insertAssetUses } from './content-uses.ts';
import { type EncodedVersion, insertVersions } from './content-versions.ts';

export interface NewContent {
  /** In a translation group of its own, with the slug, the name and the author of its only version. */
  readonly record: ContentRecord;
  readonly version: Pick<EncodedVersion, 'uri' | 'savedAt' | 'seo' | 'fields'>;
  /** Null for content that nobody is shown. */
  readonly shown: { readonly model: ReadModel; readonly uri: string; readonly typeset: Typeset } | null;
  readonly links: readonly string[];
  readonly assets: readonly string[];
  /** How many links, assets and blocks it shows, each as often as it appears. */
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

/** Whether any of it has the id, the group or the slug of other content, there or among itself. */
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

/** All of one site. Returns the numbers that the database gave them, in their order. */
export function* insertContents(contents: readonly NewContent[], now: number): Procedure<readonly number[]> {
  const numbers = yield* insertRecords(contents.map(({ record }) => record));
  if (numbers.length < contents.length) throw new Error('An insert left no row');
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
