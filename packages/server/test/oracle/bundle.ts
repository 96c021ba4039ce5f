// Types for bundle records in the import format, as the tests write them.

export type FieldType =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'list'
  | 'option'
  | 'assets'
  | 'blocks'
  | 'content_links';

export interface SiteRecord {
  readonly kind: 'site';
  readonly id: string;
  readonly name: string;
  readonly default_language: string;
  readonly languages: readonly string[];
  readonly url: string | null;
}

export interface AuthorRecord {
  readonly kind: 'author';
  readonly id: string;
  readonly site: string;
  readonly name: string;
  readonly email: string | null;
  readonly profile_photo_url: string | null;
}

export interface AssetRecord {
  readonly kind: 'asset';
  readonly id: string;
  readonly site: string;
  readonly name: string;
  readonly description: string | null;
  readonly path: string;
  readonly url: string;
  readonly extension: string;
  readonly size: number;
  readonly mime_type: string;
  readonly width?: number | null;
  readonly height?: number | null;
}

export interface FieldRecord {
  readonly handle: string;
  readonly name: string;
  readonly type: FieldType;
  readonly help_text?: string;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
}

export interface ContentTypeRecord {
  readonly kind: 'content_type';
  readonly id: string;
  readonly site: string;
  readonly handle: string;
  readonly name: string;
  readonly object_type: 'page' | 'entry' | 'block';
  readonly uri_pattern?: string;
  readonly fields: readonly FieldRecord[];
}

/** A field's value: one accessor with a plain value. Null, or no accessor at all, means that the field has no value. */
export interface FieldValue {
  readonly text?: string | null;
  readonly number?: number | null;
  readonly is_on?: boolean | null;
  readonly date?: string | null;
  readonly list?: readonly string[] | null;
  readonly selected_option?: string | null;
  readonly assets?: readonly string[] | null;
  readonly blocks?: readonly BlockValue[] | null;
  readonly content_links?: readonly string[] | null;
}

export type FieldValues = Readonly<Record<string, FieldValue>>;

export interface BlockValue {
  readonly content_type: string;
  readonly name?: string;
  readonly fields: FieldValues;
}

export interface SeoValues {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly robots?: string | null;
  readonly canonical_url?: string | null;
  readonly open_graph?: {
    readonly title?: string | null;
    readonly description?: string | null;
    readonly image_secure_url?: string | null;
    readonly image_width?: number | null;
    readonly image_height?: number | null;
    readonly image_alt?: string | null;
    readonly url?: string | null;
  };
}

/** Saved changes that have not been published yet. */
export interface PendingChanges {
  readonly name?: string;
  readonly slug?: string;
  readonly uri?: string;
  readonly author?: string | null;
  readonly seo?: SeoValues;
  readonly fields?: FieldValues;
}

export interface ContentRecord {
  readonly kind: 'content';
  readonly id: string;
  readonly site: string;
  readonly content_type: string;
  readonly author: string | null;
  readonly language: string;
  readonly translation_of: string | null;
  readonly slug: string;
  readonly name: string;
  readonly uri?: string;
  readonly status: 'draft' | 'published' | 'unpublished' | 'archived';
  readonly published_at?: string;
  readonly publish_at?: string;
  readonly unpublish_at?: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly seo?: SeoValues;
  readonly fields: FieldValues;
  readonly draft?: PendingChanges;
}

export type BundleRecord = SiteRecord | AuthorRecord | AssetRecord | ContentTypeRecord | ContentRecord;
