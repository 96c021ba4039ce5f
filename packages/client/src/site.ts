// The types of a site: the `Site` from a file that `galley types` wrote, or any site.

import type { ContentBody } from '@galley/wire';

/** The type argument of `createClient`, such as the `Site` that `galley types` writes. */
export interface SiteShape {
  /** Content objects by content type handle. */
  readonly contentTypes: object;
  /** Content objects in previews: required values may be missing from drafts. */
  readonly previewTypes?: object;
  /** The site's languages, as a union. */
  readonly languages: string;
}

/** An unknown site: any handle, any language, fields of every type. */
export interface AnySite {
  readonly contentTypes: Readonly<Record<string, ContentBody>>;
  readonly languages: string;
}

/** A site as previews show it. If there are no preview types, the types of published content apply. */
export interface PreviewOf<Site extends SiteShape> {
  readonly contentTypes: Site extends { readonly previewTypes: infer Types extends object }
    ? Types
    : Site['contentTypes'];
  readonly languages: Site['languages'];
}

/** The same site with its interfaces as mapped types. Otherwise TypeScript would not accept it where any site is expected. */
export interface Plain<Site extends SiteShape> {
  readonly contentTypes: { readonly [Handle in keyof Site['contentTypes']]: Site['contentTypes'][Handle] };
  readonly languages: Site['languages'];
}

/** The previews of a site's content, by content type handle. */
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

/** The content that a call reads: published content, unless the call requests previews or might request them. */
export type ContentRead<Preview extends boolean, Published, Draft> = [Preview] extends [false] ? Published : Draft;

interface Typed {
  readonly content_type: { readonly handle: string };
}

type Matching<Item extends Typed, Handle extends string> = Extract<
  Item,
  { readonly content_type: { readonly handle: Handle } }
>;

/** The members of a union of content objects or blocks that have the handle. */
export type OfType<Item extends Typed, Handle extends Item['content_type']['handle']> = [
  Matching<Item, Handle>,
] extends [never]
  ? Item & { readonly content_type: { readonly handle: Handle } }
  : Matching<Item, Handle>;

/** Resolves to `never` for a union of handles or for `string`, because an object that does not match one handle may match another. */
type OnlyOne<Handle extends string, Each = Handle> =
  Record<never, never> extends Record<Handle, 1>
    ? never
    : Each extends unknown
      ? [Handle] extends [Each]
        ? unknown
        : never
      : never;

/**
 * Whether a content object or a block is of the given content type. A literal handle narrows the type.
 * @example
 * const object = await client.getContentById(id);
 * if (isOfType(object, 'article')) console.log(object.fields.standfirst.text);
 */
export function isOfType<Item extends Typed, const Handle extends Item['content_type']['handle']>(
  item: Item,
  handle: Handle & OnlyOne<Handle>,
): item is OfType<Item, Handle>;
/** Whether a content object or a block is of a content type that is known only at run time. */
export function isOfType<Item extends Typed>(item: Item, handle: Item['content_type']['handle']): boolean;
export function isOfType(item: Typed, handle: string): boolean {
  return item.content_type.handle === handle;
}
