// The part of a generated file that is the same for all sites. It declares the same types as `@galley/wire`, without importing that
// package.

export const COMMON_TYPES = `/** A point in time with a UTC offset, like 2026-03-01T08:00:00+00:00. */
export type GalleyTimestamp = string;

/** Where a content object appears: at the top level or as a link target (whose own links are plain ids), published or as a draft. */
export interface GalleyPlaces {
  readonly object: { readonly linked: 'linked'; readonly missing: never };
  readonly linked: { readonly linked: 'linked'; readonly missing: never };
  readonly draft: { readonly linked: 'linked_draft'; readonly missing: null };
  readonly linked_draft: { readonly linked: 'linked_draft'; readonly missing: null };
}

export type GalleyPlace = keyof GalleyPlaces;

/** A preview returns the newest version, which may be a draft. */
export type GalleyPreview = 'object' | 'draft';

/** How a missing value of a required field appears: as null in drafts, and never in published content. */
export type GalleyMissing<Place extends GalleyPlace> = GalleyPlaces[Place]['missing'];

export interface GalleyAuthor {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly profile_photo_url: string | null;
}

export interface GalleySeo {
  readonly title: string;
  readonly description: string | null;
  readonly robots: string | null;
  readonly canonical_url: string | null;
  readonly open_graph: {
    readonly title: string | null;
    readonly description: string | null;
    readonly image_secure_url: string | null;
    readonly image_width: number | null;
    readonly image_height: number | null;
    readonly image_alt: string | null;
    readonly url: string | null;
  };
}

export interface GalleyAsset {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly path: string;
  readonly url: string;
  readonly extension: string;
  readonly size: number;
  readonly mime_type: string;
  readonly is_image: boolean;
  readonly width: number | null;
  readonly height: number | null;
  /** The most important point in an image, as percentages from the left and from the top. */
  readonly focal_point: { readonly x: number; readonly y: number } | null;
  /** A ThumbHash in Base64. */
  readonly placeholder: string | null;
}

export interface GalleyContentType<Handle extends string, Kind extends 'page' | 'entry' | 'block'> {
  readonly id: string;
  readonly name: string;
  readonly handle: Handle;
  readonly object_type: Kind;
}

/** The properties that all content objects have. */
export interface GalleyContent {
  readonly id: string;
  /** Null only in previews of content that is not published. */
  readonly published_at: GalleyTimestamp | null;
  readonly slug: string;
  readonly name: string;
  readonly uri: string;
  readonly url: string | null;
  readonly language: string;
  readonly author: GalleyAuthor | null;
  readonly seo: GalleySeo;
  readonly created_at: GalleyTimestamp;
  readonly updated_at: GalleyTimestamp;
  /** Only in previews that were requested with a source map: where the values without an invisible mark come from. */
  readonly source_map?: readonly GalleySourceMapEntry[];
}

/** A value without an invisible mark, such as a number or an asset. */
export interface GalleySourceMapEntry {
  readonly path: string;
  readonly id: string;
  readonly field: string;
  readonly language: string;
}

/** The properties that all blocks have. */
export interface GalleyBlock {
  readonly name: string | null;
  readonly sort: number;
}

/** A content object as the target of a link. */
export interface GalleyLinkedContent<Content extends { readonly fields: unknown }> {
  readonly id: string;
  readonly published_at: GalleyTimestamp | null;
  readonly name: string;
  readonly slug: string;
  readonly uri: string;
  readonly url: string | null;
  readonly fields: Content['fields'];
}

export interface GalleyField<Handle extends string, Type extends string> {
  readonly id: string;
  readonly name: string;
  readonly handle: Handle;
  readonly help_text: string | null;
  readonly type: Type;
}

export interface GalleyTextField<Handle extends string, Missing = null> extends GalleyField<Handle, 'text'> {
  readonly text: string | Missing;
}

export interface GalleyNumberField<Handle extends string, Missing = null> extends GalleyField<Handle, 'number'> {
  readonly number: number | Missing;
}

export interface GalleyBooleanField<Handle extends string> extends GalleyField<Handle, 'boolean'> {
  readonly is_on: boolean;
}

export interface GalleyDateField<Handle extends string, Missing = null> extends GalleyField<Handle, 'date'> {
  readonly date: GalleyTimestamp | Missing;
}

export interface GalleyListField<Handle extends string> extends GalleyField<Handle, 'list'> {
  readonly list: readonly { readonly sort: number; readonly text: string }[];
}

export interface GalleyOptionField<Handle extends string, Value extends string, Missing = null>
  extends GalleyField<Handle, 'option'> {
  readonly selected_option: { readonly label: string; readonly value: Value } | Missing;
}

export interface GalleyAssetsField<Handle extends string> extends GalleyField<Handle, 'assets'> {
  readonly assets: readonly { readonly sort: number; readonly asset: GalleyAsset }[];
}

export interface GalleyBlocksField<Handle extends string, Block> extends GalleyField<Handle, 'blocks'> {
  readonly blocks: readonly Block[];
}

export interface GalleyLinksField<Handle extends string, Place extends GalleyPlace, Linked>
  extends GalleyField<Handle, 'content_links'> {
  readonly content_links: Place extends 'object' | 'draft'
    ? readonly { readonly sort: number; readonly content_link: Linked }[]
    : readonly string[];
}

/** The items of one content type in a union of content objects or blocks. */
export type OfType<Item, Handle extends string> = Extract<
  Item,
  { readonly content_type: { readonly handle: Handle } }
>;
`;
