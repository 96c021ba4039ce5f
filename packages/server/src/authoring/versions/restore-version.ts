// Restores an old version by saving its values as a new version. The versions in between are kept, and nothing is published. Values
// that are no longer valid are left out and listed.

import type { Fault } from '../../content/fault.ts';
import { collectReferences } from '../../content/field-value.ts';
import { type FittedValues, fitValues } from '../../content/fit-values.ts';
import { updateRestoredMark, type WholeVersion } from '../../storage/contents/content-versions.ts';
import { selectMediaTypes, selectTypesOfContents } from '../../storage/contents/references.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Actor } from '../actor.ts';
import { findContent, type Subject } from '../contents/find-content.ts';
import { findSlugFault } from '../contents/free-slug.ts';
import type { ContentAddress } from '../contents/publish-content.ts';
import { saveInput } from '../contents/save-content.ts';
import { type Desk, work } from '../desk.ts';
import { selectNumbered } from './read-versions.ts';

export interface RestoredVersion {
  /** The number of the newest version. Restoring creates a new version, unless nothing has changed. */
  readonly version: number;
  readonly leftOut: readonly Fault[];
}

/** @param seen the newest version that the caller has seen */
export function restoreVersion(
  desk: Desk,
  actor: Actor,
  { siteId, contentId }: ContentAddress,
  number: string,
  seen: number,
): Promise<RestoredVersion> {
  return work(desk, actor, async (job) => {
    const subject = await findContent(job, siteId, contentId);
    const old = await job.run(selectNumbered(subject.record, number));
    const { name, uri, author, seo } = old;
    const slug = await job.run(fitSlug(subject, old));
    const { fields, leftOut } = await job.run(fitFields(subject, old));
    const input = { version: seen, name, slug: slug.value, uri, author, seo, fields };
    const note = { action: 'content.restore_version', details: { from: old.number } };
    const { record } = await saveInput(job, subject, input, note);
    const version = record.newestVersion;
    if (version !== subject.record.newestVersion) await job.run(updateRestoredMark(record.no, version, old.number));
    return { version, leftOut: [...slug.leftOut, ...leftOut] };
  });
}

/** Keeps the current slug if other content uses the old one. */
function* fitSlug(
  { catalog, type, record }: Subject,
  { slug }: WholeVersion,
): Procedure<{ readonly value: string; readonly leftOut: readonly Fault[] }> {
  const place = { catalog, type, language: record.language, id: record.id };
  const fault = slug === record.slug ? undefined : yield* findSlugFault(place, slug);
  if (fault === undefined) return { value: slug, leftOut: [] };
  return { value: record.slug, leftOut: [{ path: fault.path, message: `was ${slug}, which ${fault.message}` }] };
}

function* fitFields({ catalog, type }: Subject, { fields }: WholeVersion): Procedure<FittedValues> {
  const { site, typesByHandle } = catalog;
  const { links, assets } = collectReferences(type, fields, typesByHandle);
  const knownLinks = yield* selectTypesOfContents(site.no, links);
  const knownAssets = yield* selectMediaTypes(site.no, assets);
  return fitValues(type, fields, typesByHandle, {
    links: new Set(links.filter((id) => !knownLinks.has(id))),
    assets: new Set(assets.filter((id) => !knownAssets.has(id))),
  });
}
