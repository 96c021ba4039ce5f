// A content object's stored data for search engines and link previews. Unset properties are null. When content is rendered, the title
// falls back to the content's name, and the Open Graph url to the content's url.

import { z } from 'zod';
import { type Fault, joinMember } from './fault.ts';
import { parseWithSchema } from './parse-with-schema.ts';
import { ok, type Result } from './result.ts';
import { countMember, optionalTextMember, orNull, strictMembers } from './schema-members.ts';
import { isJsonObject } from './strict-json.ts';

export interface OpenGraph {
  readonly title: string | null;
  readonly description: string | null;
  readonly image_secure_url: string | null;
  readonly image_width: number | null;
  readonly image_height: number | null;
  readonly image_alt: string | null;
  readonly url: string | null;
}

export interface Seo {
  readonly title: string | null;
  readonly description: string | null;
  readonly robots: string | null;
  readonly canonical_url: string | null;
  readonly open_graph: OpenGraph;
}

/** SEO data with all properties unset. */
export const EMPTY_SEO: Seo = {
  title: null,
  description: null,
  robots: null,
  canonical_url: null,
  open_graph: {
    title: null,
    description: null,
    image_secure_url: null,
    image_width: null,
    image_height: null,
    image_alt: null,
    url: null,
  },
};

const openGraph = strictMembers('open_graph', {
  title: optionalTextMember,
  description: optionalTextMember,
  image_secure_url: optionalTextMember,
  image_width: orNull(countMember),
  image_height: orNull(countMember),
  image_alt: optionalTextMember,
  url: optionalTextMember,
}).readonly();

const seo = strictMembers('seo', {
  title: optionalTextMember,
  description: optionalTextMember,
  robots: optionalTextMember,
  canonical_url: optionalTextMember,
  open_graph: z.preprocess((raw) => raw ?? {}, openGraph),
}).readonly();

/** If there is no value, all properties are unset. */
export function parseSeo(raw: unknown): Result<Seo, readonly Fault[]> {
  return raw === undefined || raw === null ? ok(EMPTY_SEO) : parseWithSchema<Seo>(seo, raw, 'seo');
}

/** Reads the properties that have no fault. */
export function parseFaultlessSeo(raw: unknown, faults: readonly Fault[]): Seo {
  const faulty = new Set(faults.map(({ path }) => path));
  const keep = (given: unknown, path: string): Record<string, unknown> =>
    isJsonObject(given)
      ? Object.fromEntries(Object.entries(given).filter(([name]) => !faulty.has(joinMember(path, name))))
      : {};
  const kept = keep(raw, 'seo');
  const parsed = parseSeo({ ...kept, open_graph: keep(kept.open_graph, 'seo.open_graph') });
  return parsed.ok ? parsed.value : EMPTY_SEO;
}
