import type { FieldBody } from './field.ts';

/**
 * A point in time with a UTC offset, never `Z`.
 * @example '2026-03-01T08:00:00+00:00'
 */
export type Timestamp = string;

/** The kind of thing that a content type describes. */
export type ObjectType = 'page' | 'entry' | 'block';

/** A by-line. An author is not a login. */
export interface AuthorBody {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly profile_photo_url: string | null;
}

/** The content type as it stands in a content object. */
export interface ContentTypeBody {
  readonly id: string;
  readonly name: string;
  readonly handle: string;
  readonly object_type: ObjectType;
}

/** What a link preview shows; unset members are null, and `url` falls back to the content's `url`. */
export interface OpenGraphBody {
  readonly title: string | null;
  readonly description: string | null;
  readonly image_secure_url: string | null;
  readonly image_width: number | null;
  readonly image_height: number | null;
  readonly image_alt: string | null;
  readonly url: string | null;
}

/** What search engines read; `title` falls back to the content's name. */
export interface SeoBody {
  readonly title: string;
  readonly description: string | null;
  readonly robots: string | null;
  readonly canonical_url: string | null;
  readonly open_graph: OpenGraphBody;
}

/** The custom field values of a content object, keyed by field handle, in the content type's field order. */
export type FieldsBody = Readonly<Record<string, FieldBody>>;

/** One content object: the whole body of a fetch by ID, and an element of a list's `data`. */
export interface ContentBody {
  readonly id: string;
  /** Null only in previews of content that was never published. */
  readonly published_at: Timestamp | null;
  readonly slug: string;
  readonly name: string;
  /** Path below the site's address, without a leading slash. */
  readonly uri: string;
  /** The site's address joined with `uri`; null where the site has no address. */
  readonly url: string | null;
  readonly language: string;
  readonly author: AuthorBody | null;
  readonly content_type: ContentTypeBody;
  readonly seo: SeoBody;
  readonly fields: FieldsBody;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}
