// Schemas of what the list endpoint answers: one envelope for each pagination mode, or a bare content object.

import type {
  CursorLinksBody,
  CursorListBody,
  CursorMetaBody,
  ErrorBody,
  PageLinkBody,
  SimpleLinksBody,
  SimpleListBody,
  SimpleMetaBody,
} from '@galley/wire';
import { MAX_CURSOR_LENGTH } from '../listing/cursor.ts';
import { buildObjectSchema, type JsonSchema, referToSchema } from './open-api.ts';

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

export const LIST_SCHEMAS = {
  CursorList: buildObjectSchema<CursorListBody>('A list in cursor mode.', {
    data: DATA,
    links: referToSchema('CursorLinks'),
    meta: referToSchema('CursorMeta'),
  }),
  CursorLinks: buildObjectSchema<CursorLinksBody>('Links to the neighbouring sets; null where there is none.', {
    first: { description: 'Always null in this mode.', type: 'null' },
    last: { description: 'Always null in this mode.', type: 'null' },
    prev: URL_OR_NULL,
    next: URL_OR_NULL,
  }),
  CursorMeta: buildObjectSchema<CursorMetaBody>('Where the list stands.', {
    path: PATH,
    per_page: PER_PAGE,
    next_cursor: CURSOR_OR_NULL,
    prev_cursor: CURSOR_OR_NULL,
  }),
  SimpleList: buildObjectSchema<SimpleListBody>('A list in simple mode.', {
    data: DATA,
    links: referToSchema('SimpleLinks'),
    meta: referToSchema('SimpleMeta'),
  }),
  SimpleLinks: buildObjectSchema<SimpleLinksBody>('Links to other pages; null where there is none.', {
    first: URL_OR_NULL,
    last: URL_OR_NULL,
    prev: URL_OR_NULL,
    next: URL_OR_NULL,
  }),
  SimpleMeta: buildObjectSchema<SimpleMetaBody>('Where the list stands, and how much there is.', {
    current_page: PAGE_NUMBER,
    from: { description: 'Position of the first object; null on an empty page.', ...POSITION },
    last_page: PAGE_NUMBER,
    links: { description: 'A ready-made page navigation.', type: 'array', items: referToSchema('PageLink') },
    path: PATH,
    per_page: PER_PAGE,
    to: { description: 'Position of the last object; null on an empty page.', ...POSITION },
    total: { description: 'Objects in the whole result.', type: 'integer', minimum: 0 },
  }),
  PageLink: buildObjectSchema<PageLinkBody>('One entry of the page navigation.', {
    url: { description: 'Null for a gap, and where there is no such page.', ...URL_OR_NULL },
    label: { type: 'string', pattern: '^(« Previous|Next »|\\.\\.\\.|[1-9][0-9]*)$' },
    active: { description: 'True for the current page.', type: 'boolean' },
  }),
  ListAnswer: {
    description: 'An envelope of the asked mode, or the object alone when the list produced exactly one.',
    type: 'object',
    oneOf: [referToSchema('CursorList'), referToSchema('SimpleList'), referToSchema('Content')],
  },
  Error: buildObjectSchema<ErrorBody>('One sentence on what went wrong.', {
    message: { type: 'string', minLength: 1 },
  }),
} satisfies Record<string, JsonSchema>;
