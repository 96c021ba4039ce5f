// What the delivery API answers: content objects, lists of them, and errors. `field.ts` has the fields of an object.

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

/** `links` of a list in cursor mode. */
export interface CursorLinksBody {
  readonly first: null;
  readonly last: null;
  readonly prev: string | null;
  readonly next: string | null;
}

/** `meta` of a list in cursor mode. */
export interface CursorMetaBody {
  readonly path: string;
  readonly per_page: number;
  readonly next_cursor: string | null;
  readonly prev_cursor: string | null;
}

/** A list in cursor mode, the default. */
export interface CursorListBody {
  readonly data: readonly ContentBody[];
  readonly links: CursorLinksBody;
  readonly meta: CursorMetaBody;
}

/** `links` of a list in simple mode. */
export interface SimpleLinksBody {
  readonly first: string | null;
  readonly last: string | null;
  readonly prev: string | null;
  readonly next: string | null;
}

/** One entry of the page navigation; the gap marker `...` has no url. */
export interface PageLinkBody {
  readonly url: string | null;
  readonly label: string;
  readonly active: boolean;
}

/** `meta` of a list in simple mode. */
export interface SimpleMetaBody {
  readonly current_page: number;
  readonly from: number | null;
  readonly last_page: number;
  readonly links: readonly PageLinkBody[];
  readonly path: string;
  readonly per_page: number;
  readonly to: number | null;
  readonly total: number;
}

/** A list in simple mode, with page numbers and totals. */
export interface SimpleListBody {
  readonly data: readonly ContentBody[];
  readonly links: SimpleLinksBody;
  readonly meta: SimpleMetaBody;
}

/** What the list endpoint answers: an envelope, or the bare object when the list produced exactly one. */
export type ListBody = CursorListBody | SimpleListBody | ContentBody;

/** The body of every error response of the delivery API: one sentence, and nothing else. */
export interface ErrorBody {
  readonly message: string;
}
