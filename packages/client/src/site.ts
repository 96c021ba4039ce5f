// What the library knows of a site at compile time: the `Site` of a file that `galley types` wrote, or any site at all.

import type { ContentBody } from '@galley/wire';

/** What the type argument of `createClient` looks like; the `Site` that `galley types` writes is one. */
export interface SiteShape {
  /** Content objects by the handle of their type. */
  readonly contentTypes: object;
  /** The same as previews show them: drafts may lack what published content always has. */
  readonly previewTypes?: object;
  /** The languages of the site, as a union. */
  readonly languages: string;
}

/** A site of which nothing is known: any handle, any language, fields of every type. */
export interface AnySite {
  readonly contentTypes: Readonly<Record<string, ContentBody>>;
  readonly languages: string;
}

/** A site as previews show it. A site that says nothing of previews shows there what it always shows. */
export interface PreviewOf<Site extends SiteShape> {
  readonly contentTypes: Site extends { readonly previewTypes: infer Types extends object }
    ? Types
    : Site['contentTypes'];
  readonly languages: Site['languages'];
}

/** The same site without its interfaces: they alone would keep it from being taken for any site. */
export interface Plain<Site extends SiteShape> {
  readonly contentTypes: { readonly [Handle in keyof Site['contentTypes']]: Site['contentTypes'][Handle] };
  readonly languages: Site['languages'];
}

/** The previews of a site's content by the handles of its types. */
export type PlainPreviews<Site extends SiteShape> = {
  readonly [Handle in keyof Site['contentTypes']]: PreviewContent<Site, Handle>;
};

type PreviewContent<Site extends SiteShape, Handle> = PreviewOf<Site>['contentTypes'][Handle &
  keyof PreviewOf<Site>['contentTypes']];

/**
 * The handles of a site's content types.
 * @example type Handle = ContentHandle<Site>; // 'article' | 'page'
 */
export type ContentHandle<Site extends SiteShape> = keyof Site['contentTypes'] & string;

/**
 * Content objects of one content type, or of several.
 * @example
 * function renderTeaser(article: ContentOf<Site, 'article'>): string {
 *   return article.fields.standfirst.text;
 * }
 */
export type ContentOf<
  Site extends SiteShape,
  Handle extends ContentHandle<Site> = ContentHandle<Site>,
> = Site['contentTypes'][Handle];

/** What a call reads: published content, unless it asks for previews or may ask for them. */
export type ContentRead<Preview extends boolean, Published, Draft> = [Preview] extends [false] ? Published : Draft;

interface Typed {
  readonly content_type: { readonly handle: string };
}

type Matching<Item extends Typed, Handle extends string> = Extract<
  Item,
  { readonly content_type: { readonly handle: Handle } }
>;

/** What is left of a union of content objects, or of blocks, when the handle of its type is known. */
export type OfType<Item extends Typed, Handle extends Item['content_type']['handle']> = [
  Matching<Item, Handle>,
] extends [never]
  ? Item & { readonly content_type: { readonly handle: Handle } }
  : Matching<Item, Handle>;

/** Never for several handles, or for any: what is not of the one that is asked for may be of another. */
type OnlyOne<Handle extends string, Each = Handle> =
  Record<never, never> extends Record<Handle, 1>
    ? never
    : Each extends unknown
      ? [Handle] extends [Each]
        ? unknown
        : never
      : never;

/**
 * Whether a content object, or a block, is of a content type. The type is narrowed where the handle is written out.
 * @example
 * const object = await client.getContentById(id);
 * if (isOfType(object, 'article')) console.log(object.fields.standfirst.text);
 */
export function isOfType<Item extends Typed, const Handle extends Item['content_type']['handle']>(
  item: Item,
  handle: Handle & OnlyOne<Handle>,
): item is OfType<Item, Handle>;
/** Whether a content object, or a block, is of a content type that is known only when the program runs. */
export function isOfType<Item extends Typed>(item: Item, handle: Item['content_type']['handle']): boolean;
export function isOfType(item: Typed, handle: string): boolean {
  return item.content_type.handle === handle;
}
