// The types of the content, and functions that select what the pages show. Drafts may lack fields that published content always has,
// so the pages handle both.

import { type ContentOf, imageUrl, isOfType, type PreviewOf } from '@galley/client';
import type { AnyBlock, AnyLinked, GalleyAsset, GalleyPreview, Site as PublishedSite } from '../content-types.ts';
import { buildPath } from './build-path.ts';

export type Site = PreviewOf<PublishedSite>;
export type Content = ContentOf<Site>;
export type Article = ContentOf<Site, 'article'>;
export type AuthorPage = ContentOf<Site, 'author_page'>;
export type Topic = ContentOf<Site, 'category'>;
export type Page = ContentOf<Site, 'page'>;
export type Block = AnyBlock<GalleyPreview>;
export type Linked = AnyLinked<GalleyPreview>;
export type Asset = GalleyAsset;

/** A list of linked content, as in `content.fields.related.content_links`. */
export type Links = Article['fields']['related']['content_links'];

/** The parts of an article, or of other linked content, that a list shows. */
export interface Teaser {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly kicker: string | undefined;
  readonly lead: string | null;
  readonly picture: Asset | undefined;
}

export function describeTeaser({ id, name, uri, fields }: Article | Linked): Teaser {
  const teaser = { id, name, path: buildPath(uri), kicker: undefined };
  if ('standfirst' in fields) {
    const kicker = fields.format.selected_option?.label;
    return { ...teaser, kicker, lead: fields.standfirst.text, picture: fields.cover.assets[0]?.asset };
  }
  if ('intro' in fields) return { ...teaser, lead: fields.intro.text, picture: fields.hero.assets[0]?.asset };
  if ('role' in fields) return { ...teaser, lead: fields.role.text, picture: fields.portrait.assets[0]?.asset };
  return { ...teaser, lead: fields.summary.text, picture: fields.icon.assets[0]?.asset };
}

/** The linked objects. The links inside linked content are only IDs, and are left out. */
export function listLinked(links: Links): readonly Linked[] {
  return links.flatMap((link) => (typeof link === 'string' ? [] : [link.content_link]));
}

/** The first topic of an article. */
export function findTopic({ fields }: Article): Linked | undefined {
  return listLinked(fields.category.content_links)[0];
}

/** The colour of a topic. The style sheet has a class for each colour. */
export function findColour(topic: Topic | Linked | undefined): string {
  const fields = topic?.fields;
  return (fields && 'colour' in fields && fields.colour.selected_option?.value) || 'ink';
}

/** The `uri` of each author's page, by the author's ID. */
export type AuthorUris = Readonly<Record<string, string>>;

export function listAuthorUris(pages: readonly AuthorPage[]): AuthorUris {
  return Object.fromEntries(pages.flatMap(({ author, uri }) => (author ? [[author.id, uri]] : [])));
}

/** The picture at the top of a page. */
export function findPicture(content: Content): Asset | undefined {
  if (isOfType(content, 'article')) return content.fields.cover.assets[0]?.asset;
  if (isOfType(content, 'page')) return content.fields.hero.assets[0]?.asset;
  if (isOfType(content, 'author_page')) return content.fields.portrait.assets[0]?.asset;
  return content.fields.icon.assets[0]?.asset;
}

/** A page's metadata for browsers, search engines and other websites. Galley never puts marks into `seo`. */
export interface Head {
  readonly title: string;
  readonly description: string | null;
  readonly robots: string | null;
  readonly canonical: string | null;
  readonly shared: { readonly title: string; readonly description: string | null; readonly image: string | undefined };
}

export function describeHead(content: Content): Head {
  const { title, description, robots, canonical_url, open_graph } = content.seo;
  const picture = findPicture(content);
  const image = picture && imageUrl(picture, { w: 1200, h: 630, fit: 'crop', fm: 'jpg' });
  return {
    title,
    description,
    robots,
    canonical: canonical_url ?? content.url,
    shared: {
      title: open_graph.title ?? title,
      description: open_graph.description ?? description,
      image: open_graph.image_secure_url ?? image,
    },
  };
}
