// Schemas of the responses of the delivery API: content objects without their custom fields, and lists of them. The OpenAPI document
// contains them, and `npm run generate:api-types` makes the types of `@galley/wire` from them.

import { MAX_CURSOR_LENGTH } from '../listing/cursor.ts';
import { buildNullable, buildObjectSchema, type JsonSchema, referToSchema } from './open-api.ts';

const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] };
const PIXELS_OR_NULL: JsonSchema = { type: ['integer', 'null'], minimum: 0 };

export const CONTENT_SCHEMAS = {
  Id: {
    description: 'An identifier. It says nothing by itself; compare it as it is.',
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
  Content: buildObjectSchema('One content object: the body of a fetch by ID, and an element of a list’s `data`.', {
    id: referToSchema('Id'),
    published_at: {
      description:
        'When it was first published in its current run. Null only in a preview of content that is not published.',
      ...buildNullable(referToSchema('Timestamp')),
    },
    slug: { description: 'Unique within one content type and language of the site.', type: 'string' },
    name: { description: 'The title.', type: 'string' },
    uri: { description: 'The path below the site’s address, without a leading slash.', type: 'string' },
    url: {
      description: 'The site’s address joined with `uri`; null where the site has no address.',
      ...TEXT_OR_NULL,
    },
    language: { description: 'The language of this record.', type: 'string', minLength: 1 },
    author: buildNullable(referToSchema('Author')),
    content_type: referToSchema('ContentType'),
    seo: referToSchema('Seo'),
    fields: referToSchema('Fields'),
    created_at: referToSchema('Timestamp'),
    updated_at: referToSchema('Timestamp'),
  }),
  Author: buildObjectSchema('A by-line. An author is not a login.', {
    id: referToSchema('Id'),
    name: { type: 'string' },
    email: TEXT_OR_NULL,
    profile_photo_url: TEXT_OR_NULL,
  }),
  ContentType: buildObjectSchema('The content type of a content object or a block.', {
    id: referToSchema('Id'),
    name: { type: 'string' },
    handle: { description: 'The name to filter by.', type: 'string' },
    object_type: referToSchema('ObjectType'),
  }),
  ObjectType: {
    description: 'The kind of thing that a content type describes.',
    type: 'string',
    enum: ['page', 'entry', 'block'],
  },
  Seo: buildObjectSchema('What search engines should read. What was not set is null.', {
    title: { description: 'Falls back to the content’s name.', type: 'string' },
    description: TEXT_OR_NULL,
    robots: TEXT_OR_NULL,
    canonical_url: TEXT_OR_NULL,
    open_graph: referToSchema('OpenGraph'),
  }),
  OpenGraph: buildObjectSchema(
    'What a link preview should show. Unset members are null; `url` falls back to the `url` of the content.',
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
// The request's other parameters stay as they were spelled, raw brackets included, so these are no RFC 3986 URIs.
const URL_OR_NULL: JsonSchema = { type: ['string', 'null'], pattern: '^https?://[^?]+\\?' };
const CURSOR_OR_NULL: JsonSchema = { type: ['string', 'null'], minLength: 1, maxLength: MAX_CURSOR_LENGTH };
const PATH: JsonSchema = {
  description: 'The address of the endpoint, without parameters.',
  type: 'string',
  pattern: '^https?://[^?]+$',
};
const PER_PAGE: JsonSchema = { description: 'The `limit` of the request.', type: 'integer', minimum: 1, maximum: 100 };
const PAGE_NUMBER: JsonSchema = { type: 'integer', minimum: 1 };
const POSITION: JsonSchema = { type: ['integer', 'null'], minimum: 1 };

/** One envelope for each pagination mode. */
export const LIST_SCHEMAS = {
  CursorList: buildObjectSchema('A list in cursor mode, the default.', {
    data: DATA,
    links: referToSchema('CursorLinks'),
    meta: referToSchema('CursorMeta'),
  }),
  CursorLinks: buildObjectSchema('Links to the neighbouring sets; null where there is none.', {
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
  SimpleMeta: buildObjectSchema('The position in the list, and its size.', {
    current_page: PAGE_NUMBER,
    from: { description: 'Position of the first object; null on an empty page.', ...POSITION },
    last_page: PAGE_NUMBER,
    links: { description: 'A ready-made page navigation.', type: 'array', items: referToSchema('PageLink') },
    path: PATH,
    per_page: PER_PAGE,
    to: { description: 'Position of the last object; null on an empty page.', ...POSITION },
    total: { description: 'Objects in the whole result.', type: 'integer', minimum: 0 },
  }),
  PageLink: buildObjectSchema('One entry of the page navigation.', {
    url: { description: 'Null for a gap, and where there is no such page.', ...URL_OR_NULL },
    label: { type: 'string', pattern: '^(« Previous|Next »|\\.\\.\\.|[1-9][0-9]*)$' },
    active: { description: 'True for the current page.', type: 'boolean' },
  }),
  List: {
    description: 'An envelope of the asked mode, or the object alone when the list produced exactly one.',
    type: 'object',
    oneOf: [referToSchema('CursorList'), referToSchema('SimpleList'), referToSchema('Content')],
  },
  Error: buildObjectSchema('The body of every error response: one sentence on what went wrong.', {
    message: { type: 'string', minLength: 1 },
  }),
} satisfies Record<string, JsonSchema>;
