// Restoring saves the values of an old version as a new one: nothing in between is lost, and nothing is published. What
// has no place any more is left out, and said.

import type { Fault } from '../../content/fault.ts';
import { collectReferences } from '../../content/field-value.ts';
import { type FittedValues, fitValues } from '../../content/fit-values.ts';
import { selectMediaTypes, selectTypesOfContents, type WholeVersion } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { findContent, type Subject } from '../contents/find-content.ts';
import { findSlugFault } from '../contents/free-slug.ts';
import type { ContentAddress } from '../contents/move-content.ts';
import { saveContent } from '../contents/save-content.ts';
import type { Desk } from '../desk.ts';
import { openReader, type Reader } from '../reader.ts';
import { selectNumbered } from './read-versions.ts';

export interface RestoredVersion {
  /** The newest version: a new one, unless nothing differs. */
  readonly version: number;
  readonly leftOut: readonly Fault[];
}

/**
 * What is fitted is looked up before the save and not within it: the save refuses whatever has changed in between.
 * @param seen the version that the asker knows as the newest
 */
export async function restoreVersion(
  desk: Desk,
  actor: Actor,
  { siteId, contentId }: ContentAddress,
  number: string,
  seen: number,
): Promise<RestoredVersion> {
  const reader = openReader(desk, actor);
  const subject = await findContent(reader, siteId, contentId);
  const old = await reader.run(selectNumbered(subject.record, number));
  const { name, uri, author, seo } = old;
  const slug = await fitSlug(reader, subject, old);
  const { fields, leftOut } = await fitFields(reader, subject, old);
  const input = { version: seen, name, slug: slug.value, uri, author, seo, fields };
  const { record } = await saveContent(desk, actor, siteId, contentId, input);
  return { version: record.newestVersion, leftOut: [...slug.leftOut, ...leftOut] };
}

/** Another content object may have taken the old slug; then the present one stays. */
async function fitSlug(
  reader: Reader,
  { catalog, type, record }: Subject,
  { slug }: WholeVersion,
): Promise<{ readonly value: string; readonly leftOut: readonly Fault[] }> {
  const place = { catalog, type, language: record.language, id: record.id };
  const fault = slug === record.slug ? undefined : await findSlugFault(reader, place, slug);
  if (fault === undefined) return { value: slug, leftOut: [] };
  return { value: record.slug, leftOut: [{ path: fault.path, message: `was ${slug}, which ${fault.message}` }] };
}

async function fitFields(reader: Reader, { catalog, type }: Subject, { fields }: WholeVersion): Promise<FittedValues> {
  const { site, typesByHandle } = catalog;
  const { links, assets } = collectReferences(type, fields, typesByHandle);
  const knownLinks = await reader.run(selectTypesOfContents(site.no, links));
  const knownAssets = await reader.run(selectMediaTypes(site.no, assets));
  return fitValues(type, fields, typesByHandle, {
    links: new Set(links.filter((id) => !knownLinks.has(id))),
    assets: new Set(assets.filter((id) => !knownAssets.has(id))),
  });
}
