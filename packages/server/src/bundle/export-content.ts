// One content object as a line of a bundle, read from the database and rendered.

import type { Catalog } from '../content/catalog.ts';
import type { ContentType } from '../content/field.ts';
import { collectReferences, type FieldValues, walkFieldValues } from '../content/field-value.ts';
import { keepKnownValues } from '../content/fit-values.ts';
import { findMissingAssets, findMissingInSite, type Procedure, selectExportedContent } from '../storage/port.ts';
import type { AbsentRecord } from './content-record.ts';
import { renderContentRecord } from './render-content-record.ts';

/** Undefined where the site has no such content. */
export function* exportContent(catalog: Catalog, id: string): Procedure<string | undefined> {
  const { site, typesByNo, typesByHandle } = catalog;
  const content = yield* selectExportedContent(site.no, id);
  if (content === undefined) return undefined;
  const type = typesByNo.get(content.record.typeNo);
  if (type === undefined) throw new Error(`Content ${id} has a type that its site does not have`);
  const { newest, published } = content;
  const newestFields = keepKnownValues(type, newest.fields, typesByHandle);
  const publishedFields = published && keepKnownValues(type, published.fields, typesByHandle);
  const versions = publishedFields === null ? [newestFields] : [publishedFields, newestFields];
  const absent = yield* findAbsent(catalog, type, versions);
  const { id: siteId, defaultLanguage } = site;
  return renderContentRecord(content, { siteId, defaultLanguage, type, newestFields, publishedFields, absent });
}

function* findAbsent(
  { site, typesByHandle }: Catalog,
  type: ContentType,
  versions: readonly FieldValues[],
): Procedure<AbsentRecord | null> {
  const references = versions.map((values) => collectReferences(type, values, typesByHandle));
  const links = [...new Set(references.flatMap((each) => each.links))];
  const assetIds = [...new Set(references.flatMap((each) => each.assets))];
  const contents = links.length === 0 ? [] : yield* findMissingInSite(site.no, links);
  const assets = assetIds.length === 0 ? [] : yield* findMissingAssets(site.no, assetIds);
  const options = [...new Set(versions.flatMap((values) => findLostOptions(type, values, { typesByHandle })))];
  if (contents.length + assets.length + options.length === 0) return null;
  return {
    contents: contents.length === 0 ? undefined : contents.toSorted(),
    assets: assets.length === 0 ? undefined : assets.toSorted(),
    options: options.length === 0 ? undefined : options.toSorted(),
  };
}

/** Values of options that their field had once. */
function findLostOptions(
  type: ContentType,
  values: FieldValues,
  { typesByHandle }: Pick<Catalog, 'typesByHandle'>,
): readonly string[] {
  const lost: string[] = [];
  for (const { field, value } of walkFieldValues(type, values, typesByHandle)) {
    if (value === undefined || !('selected_option' in value)) continue;
    const { selected_option: selected } = value;
    if (!field.settings.options?.some((option) => option.value === selected)) lost.push(selected);
  }
  return lost;
}
