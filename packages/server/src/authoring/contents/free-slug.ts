// Slugs are unique among content with the same site, type and language, whether it is published or a draft.

import type { Catalog } from '../../content/catalog.ts';
import type { Fault } from '../../content/fault.ts';
import type { ContentType } from '../../content/field.ts';
import { isSlugOf, makeSlug, numberSlug } from '../../content/slug.ts';
import { findSlugOwner, selectRecord } from '../../storage/contents/content-records.ts';
import type { Procedure } from '../../storage/statement.ts';

/** The content that needs a slug, with the site, type and language in which the slug must be unique. */
export interface Place {
  readonly catalog: Catalog;
  readonly type: ContentType;
  readonly language: string;
  readonly id: string;
}

/**
 * Appends a number if the slug is taken. Numbers are used in sequence, so a binary search finds a free one.
 * @param name a name, or a slug that may be taken
 */
export function* makeFreeSlug(place: Place, name: string): Procedure<string> {
  const slug = makeSlug(name);
  const build = (number: number): string => (number === 1 ? slug : numberSlug(slug, number));
  let taken = 0;
  let free = 1;
  while ((yield* findOwner(place, build(free))) !== undefined) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if ((yield* findOwner(place, build(middle))) !== undefined) taken = middle;
    else free = middle;
  }
  return build(free);
}

/**
 * Whether the slug may have been generated from the name. A number at the end can have been generated only if the slug without it is taken.
 */
export function* mayBeMade(place: Place, slug: string, name: string): Procedure<boolean> {
  if (!isSlugOf(slug, name)) return false;
  const plain = makeSlug(name);
  return slug === plain || (yield* findOwner(place, plain)) !== undefined;
}

export function* findSlugFault(place: Place, slug: string): Procedure<Fault | undefined> {
  const owner = yield* findOwner(place, slug);
  if (owner === undefined) return undefined;
  const holder = yield* selectRecord(place.catalog.site.no, owner);
  return {
    path: 'slug',
    message: `is taken by content ${owner} (same type and language)`,
    code: 'taken',
    values: { id: owner, name: holder?.name ?? owner },
  };
}

function findOwner({ catalog, type, language, id }: Place, slug: string): Procedure<string | undefined> {
  return findSlugOwner({ siteNo: catalog.site.no, typeNo: type.no, language, id }, [slug]);
}
