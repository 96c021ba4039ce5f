// Random bundles: a site with up to 60 content objects that share many values, and usually a small second site. Some content on the second
// site has the same id as content on the first. Each bundle has its own id prefix, so many bundles can be imported into one service.

import type {
  AssetRecord,
  AuthorRecord,
  BundleRecord,
  ContentRecord,
  ContentTypeRecord,
  PendingChanges,
  SeoValues,
  SiteRecord,
} from './bundle.ts';
import { chance, type Draw, drawNumber, pick, pickSome } from './draw.ts';
import { drawBlockTypes, drawContentTypes, drawValues, type Surroundings } from './random-fields.ts';
import { drawMoment, drawName, drawText } from './random-text.ts';

const FUTURE = '2999-01-01T00:00:00+00:00';

export interface RandomSite {
  readonly site: SiteRecord;
  readonly authors: readonly AuthorRecord[];
  readonly types: readonly ContentTypeRecord[];
  readonly contents: readonly ContentRecord[];
  readonly records: readonly BundleRecord[];
}

interface RandomBundle {
  readonly sites: readonly RandomSite[];
  readonly records: readonly BundleRecord[];
}

export function drawBundle(draw: Draw, prefix: string): RandomBundle {
  const small = chance(draw, 70) ? [drawSite(draw, `${prefix}b`, drawNumber(draw, 0, 12), [])] : [];
  const foreign = small.flatMap((site) => site.contents.map((content) => content.id));
  const size = chance(draw, 15) ? drawNumber(draw, 0, 10) : drawNumber(draw, 30, 60);
  const sites = [drawSite(draw, `${prefix}a`, size, foreign), ...small];
  return { sites, records: sites.flatMap((site) => site.records) };
}

export function drawSite(draw: Draw, id: string, size: number, foreign: readonly string[]): RandomSite {
  const languages = ['en', 'fr', 'pt-BR'].slice(0, pick(draw, [1, 1, 2, 2, 3]));
  const site: SiteRecord = {
    kind: 'site',
    id: `s_${id}`,
    name: drawName(draw),
    default_language: pick(draw, languages),
    languages,
    url: pick(draw, [null, 'https://example.com', 'https://example.com/', 'https://example.com/base']),
  };
  const authors = ['Ada', 'Émile', 'zoë'].slice(0, drawNumber(draw, 1, 3)).map((name, index) => ({
    kind: 'author' as const,
    id: `u_${id}_${index}`,
    site: site.id,
    name,
    email: chance(draw, 50) ? `author${index}@example.com` : null,
    profile_photo_url: chance(draw, 50) ? 'https://example.com/photo.jpg' : null,
  }));
  const assets = Array.from({ length: drawNumber(draw, 0, 4) }, (_, index) => drawAsset(draw, site.id, index));
  const types = drawContentTypes(draw, site.id);
  const blockTypes = drawBlockTypes(draw, site.id);

  // The random character keeps ids from sorting in creation order.
  const ids = Array.from({ length: size }, (_, index) => {
    const shared = chance(draw, 30) ? foreign[index] : undefined;
    return shared ?? `c_${id}_${pick(draw, ['Z', 'a', '_', '-', '9'])}${index}`;
  });
  const around = { contents: [...new Set([...ids, ...foreign])], assets: assets.map((asset) => asset.id), blockTypes };
  const contents = drawContents(draw, ids, site, types, authors, around);
  return {
    site,
    authors,
    types,
    contents,
    records: [site, ...authors, ...assets, ...types, ...blockTypes, ...contents],
  };
}

function drawAsset(draw: Draw, site: string, index: number): AssetRecord {
  const isImage = chance(draw, 60);
  const extension = isImage ? 'jpg' : 'pdf';
  return {
    kind: 'asset',
    id: `a_${site}_${index}`,
    site,
    name: drawName(draw),
    description: chance(draw, 50) ? drawText(draw) : null,
    path: `assets/${index}/file.${extension}`,
    url: pick(draw, [`https://cdn.example.com/${index}.${extension}`, `/files/${index}.${extension}`]),
    extension,
    size: drawNumber(draw, 1, 99_999),
    mime_type: isImage ? 'image/jpeg' : 'application/pdf',
    ...(isImage && { width: 800, height: 600 }),
  };
}

/** Creates translation groups with gaps: a new content object may translate an earlier one if a language is still missing. */
function drawContents(
  draw: Draw,
  ids: readonly string[],
  site: SiteRecord,
  types: readonly ContentTypeRecord[],
  authors: readonly AuthorRecord[],
  around: Surroundings,
): readonly ContentRecord[] {
  const contents: ContentRecord[] = [];
  const slugs = new Set<string>();
  for (const id of ids) {
    const origin = chance(draw, 60) ? contents.findLast((each) => each.translation_of === null) : undefined;
    const taken = contents
      .filter((each) => origin !== undefined && (each.translation_of ?? each.id) === origin.id)
      .map((each) => each.language);
    const free = site.languages.filter((language) => !taken.includes(language));
    const isTranslation = origin !== undefined && free.length > 0;
    const handle = isTranslation ? origin.content_type : pick(draw, types).handle;
    const type = types.find((each) => each.handle === handle);
    if (type === undefined) throw new Error(`unknown type ${handle}`);
    const language = pick(draw, isTranslation ? free : site.languages);
    contents.push({
      kind: 'content',
      id,
      site: site.id,
      content_type: handle,
      author: chance(draw, 10) ? null : pick(draw, authors).id,
      language,
      translation_of: isTranslation ? origin.id : null,
      slug: drawSlug(draw, `${handle} ${language}`, slugs),
      name: drawName(draw),
      ...(chance(draw, 15) && { uri: pick(draw, ['Custom/path', 'custom/path', 'about', 'a']) }),
      ...drawState(draw, () => drawChanges(draw, id, type, authors, around)),
      created_at: drawMoment(draw),
      updated_at: drawMoment(draw),
      ...(chance(draw, 40) && { seo: drawSeo(draw) }),
      fields: drawValues(draw, type, around),
    });
  }
  return contents;
}

/** The slug is unique within its type and language, but is often used in other types and languages too. */
function drawSlug(draw: Draw, scope: string, taken: Set<string>): string {
  const base = pick(draw, ['hello', 'about', 'a', 'z-last', 'news-2']);
  let slug = base;
  for (let number = 2; taken.has(`${scope} ${slug}`); number++) slug = `${base}-${number}`;
  taken.add(`${scope} ${slug}`);
  return slug;
}

function drawState(draw: Draw, changes: () => PendingChanges): Partial<ContentRecord> & Pick<ContentRecord, 'status'> {
  const published = { status: 'published', published_at: drawMoment(draw) } as const;
  const kind = drawNumber(draw, 0, 99);
  if (kind < 55) return published;
  if (kind < 62) return { ...published, unpublish_at: FUTURE };
  if (kind < 77) return { ...published, draft: changes() };
  if (kind < 83) return { status: 'draft' };
  if (kind < 88) return { status: 'draft', publish_at: FUTURE };
  if (kind < 92) return { status: 'unpublished' };
  if (kind < 96) return { status: 'unpublished', draft: changes() };
  return { status: 'archived' };
}

function drawChanges(
  draw: Draw,
  id: string,
  type: ContentTypeRecord,
  authors: readonly AuthorRecord[],
  around: Surroundings,
): PendingChanges {
  return {
    ...(chance(draw, 60) && { name: drawName(draw) }),
    ...(chance(draw, 30) && { slug: `changed-${id.toLowerCase().replaceAll('_', '-')}` }),
    ...(chance(draw, 30) && { author: pick(draw, authors).id }),
    ...(chance(draw, 30) && { seo: drawSeo(draw) }),
    ...(chance(draw, 70) && { fields: drawValues(draw, type, around) }),
  };
}

function drawSeo(draw: Draw): SeoValues {
  const texts = pickSome(draw, ['title', 'description', 'robots'] as const, 3);
  return {
    ...Object.fromEntries(texts.map((member) => [member, drawText(draw)])),
    ...(chance(draw, 30) && { canonical_url: 'https://example.com/canonical' }),
    ...(chance(draw, 50) && {
      open_graph: {
        ...(chance(draw, 50) && { title: drawText(draw) }),
        ...(chance(draw, 50) && {
          image_secure_url: 'https://example.com/og.png',
          image_width: 1200,
          image_height: 630,
        }),
        ...(chance(draw, 30) && { image_alt: drawText(draw), url: 'https://example.com/og' }),
      },
    }),
  };
}
