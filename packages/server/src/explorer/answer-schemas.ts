// Schemas for the delivery API's responses: content objects without their custom fields, and lists of them. The OpenAPI document contains
// these schemas, and `npm run generate:api-types` generates the types in `@galley/wire` from them.

import { MAX_CURSOR_LENGTH } from '../listing/cursor.ts';
import { buildNullable, buildObjectSchema, type JsonSchema, referToSchema } from './open-api.ts';

const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] };
const PIXELS_OR_NULL: JsonSchema = { type: ['integer', 'null'], minimum: 0 };

export const CONTENT_SCHEMAS = {
  Id: {
    description: 'An identifier. Treat it as an opaque string.',
    type: 'string',
    pattern: '^[A-Za-z0-9_-]{1,64}$',
  },
  Timestamp: {
    description: 'A point in time in UTC, to the second. The offset is always written out, never `Z`.',
    type: 'string',
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$',
    examples: ['2026-03-01T08:00:00+00:00'],
  },
  Content: buildObjectSchema(
    'One content object, as fetched by ID or as an element of a list’s `data`.',
    {
      id: referToSchema('Id'),
      published_at: {
        description:
          'When it was first published, or published again after it was unpublished. Null only in a preview of content that is not published.',
        ...buildNullable(referToSchema('Timestamp')),
      },
      slug: { description: 'Unique per content type and language within the site.', type: 'string' },
      name: { description: 'The title.', type: 'string' },
      uri: { description: 'The path relative to the site’s URL, without a leading slash.', type: 'string' },
      url: {
        description: 'The site’s URL joined with `uri`; null if the site has no URL.',
        ...TEXT_OR_NULL,
      },
      language: { description: 'The language of this record.', type: 'string', minLength: 1 },
      author: buildNullable(referToSchema('Author')),
      content_type: referToSchema('ContentType'),
      seo: referToSchema('Seo'),
      fields: referToSchema('Fields'),
      created_at: referToSchema('Timestamp'),
      updated_at: referToSchema('Timestamp'),
    },
    {
      source_map: {
        description:
          'Only in previews that were requested with a source map: where the values without an invisible mark come from.',
        type: 'array',
        items: referToSchema('SourceMapEntry'),
      },
    },
  ),
  SourceMapEntry: buildObjectSchema('A value without an invisible mark, such as a number or an asset.', {
    path: {
      description: 'Where the value is in this object or in content that it links to.',
      type: 'string',
      examples: ['fields.reading_time'],
    },
    id: { description: 'The content that the value comes from.', ...referToSchema('Id') },
    field: { description: 'The path of the field, or of an item in the field, within that content.', type: 'string' },
    language: { description: 'The language of that content.', type: 'string' },
  }),
  Author: buildObjectSchema('The author named in a byline. Authors are not user accounts.', {
    id: referToSchema('Id'),
    name: { type: 'string' },
    email: TEXT_OR_NULL,
    profile_photo_url: TEXT_OR_NULL,
  }),
  ContentType: buildObjectSchema('The content type of a content object or a block.', {
    id: referToSchema('Id'),
    name: { type: 'string' },
    handle: { description: 'The name used in filters.', type: 'string' },
    object_type: referToSchema('ObjectType'),
  }),
  ObjectType: {
    description: 'The kind of object that a content type describes.',
    type: 'string',
    enum: ['page', 'entry', 'block'],
  },
  Seo: buildObjectSchema('Metadata for search engines. Unset properties are null.', {
    title: { description: 'Falls back to the content’s name.', type: 'string' },
    description: TEXT_OR_NULL,
    robots: TEXT_OR_NULL,
    canonical_url: TEXT_OR_NULL,
    open_graph: referToSchema('OpenGraph'),
  }),
  OpenGraph: buildObjectSchema(
    'Metadata for link previews. Unset properties are null; `url` falls back to the content’s `url`.',
    {
      title: TEXT_OR_NULL,
      description: TEXT_OR_NULL,
      image_secure_url: TEXT_OR_NULL,
      image_width: PIXELS_OR_NULL,
      image_height: PIXELS_OR_NULL,
      image_alt: TEXT_OR_NULL,
      url: TEXT_OR_NULL,
    },
  ),
} satisfies Record<string, JsonSchema>;

const DATA: JsonSchema = { description: 'The sorted content objects.', type: 'array', items: referToSchema('Content') };
// Links repeat the request's other parameters unchanged, including raw brackets, so they may not be valid RFC 3986 URIs.
const URL_OR_NULL: JsonSchema = { type: ['string', 'null'], pattern: '^https?://[^?]+\\?' };
const CURSOR_OR_NULL: JsonSchema = { type: ['string', 'null'], minLength: 1, maxLength: MAX_CURSOR_LENGTH };
const PATH: JsonSchema = {
  description: 'The URL of the endpoint, without parameters.',
  type: 'string',
  pattern: '^https?://[^?]+$',
};
const PER_PAGE: JsonSchema = { description: 'The request’s `limit`.', type: 'integer', minimum: 1, maximum: 100 };
const PAGE_NUMBER: JsonSchema = { type: 'integer', minimum: 1 };
const POSITION: JsonSchema = { type: ['integer', 'null'], minimum: 1 };

/** One envelope for each pagination mode. */
export const LIST_SCHEMAS = {
  CursorList: buildObjectSchema('A list in cursor mode, the default.', {
    data: DATA,
    links: referToSchema('CursorLinks'),
    meta: referToSchema('CursorMeta'),
  }),
  CursorLinks: buildObjectSchema('Links to the previous and next sets; null where there is none.', {
    first: { description: 'Always null in this mode.', type: 'null' },
    last: { description: 'Always null in this mode.', type: 'null' },
    prev: URL_OR_NULL,
    next: URL_OR_NULL,
  }),
  CursorMeta: buildObjectSchema('The position in the list.', {
    path: PATH,
    per_page: PER_PAGE,
    next_cursor: CURSOR_OR_NULL,
    prev_cursor: CURSOR_OR_NULL,
  }),
  SimpleList: buildObjectSchema('A list in simple mode, with page numbers and totals.', {
    data: DATA,
    links: referToSchema('SimpleLinks'),
    meta: referToSchema('SimpleMeta'),
  }),
  SimpleLinks: buildObjectSchema('Links to other pages; null where there is none.', {
    first: URL_OR_NULL,
    last: URL_OR_NULL,
    prev: URL_OR_NULL,
    next: URL_OR_NULL,
  }),
  SimpleMeta: buildObjectSchema('The position in the list, and the totals.', {
    current_page: PAGE_NUMBER,
    from: { description: 'Position of the first object; null on an empty page.', ...POSITION },
    last_page: PAGE_NUMBER,
    links: { description: 'Ready-made page navigation.', type: 'array', items: referToSchema('PageLink') },
    path: PATH,
    per_page: PER_PAGE,
    to: { description: 'Position of the last object; null on an empty page.', ...POSITION },
    total: { description: 'The total number of objects.', type: 'integer', minimum: 0 },
  }),
  PageLink: buildObjectSchema('One entry in the page navigation.', {
    url: { description: 'Null for a gap or if there is no such page.', ...URL_OR_NULL },
    label: { type: 'string', pattern: '^(« Previous|Next »|\\.\\.\\.|[1-9][0-9]*)$' },
    active: { description: 'True for the current page.', type: 'boolean' },
  }),
  List: {
    description: 'An envelope for the requested pagination mode, or just the object if the list contains exactly one.',
    type: 'object',
    oneOf: [referToSchema('CursorList'), referToSchema('SimpleList'), referToSchema('Content')],
  },
  Error: buildObjectSchema('The body of every error response: one sentence that describes the error.', {
    message: { type: 'string', minLength: 1 },
  }),
} satisfies Record<string, JsonSchema>;
