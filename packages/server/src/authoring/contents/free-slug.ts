// Slugs are unique among content of the same site, type and language, in drafts as in what is published.

import type { Fault } from '../../content/fault.ts';
import { makeSlug, numberSlug } from '../../content/make-slug.ts';
import { findSlugOwner } from '../../storage/port.ts';
import type { Reader } from '../reader.ts';
import type { Place } from './place.ts';

/**
 * Numbers are given in a row, so a free one is found in few steps however many are taken.
 * @param name a name, or a slug that may be taken
 */
export async function makeFreeSlug(reader: Reader, place: Place, name: string): Promise<string> {
  const slug = makeSlug(name);
  const build = (number: number): string => (number === 1 ? slug : numberSlug(slug, number));
  const isTaken = async (number: number): Promise<boolean> =>
    (await findOwner(reader, place, build(number))) !== undefined;
  let taken = 0;
  let free = 1;
  while (await isTaken(free)) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return build(free);
}

export async function findSlugFault(reader: Reader, place: Place, slug: string): Promise<Fault | undefined> {
  const owner = await findOwner(reader, place, slug);
  if (owner === undefined) return undefined;
  return { path: 'slug', message: `is taken by content ${owner}, of the same type and language` };
}

function findOwner(reader: Reader, { catalog, type, language, id }: Place, slug: string): Promise<string | undefined> {
  return reader.run(findSlugOwner({ siteNo: catalog.site.no, typeNo: type.no, language, id }, [slug]));
}
