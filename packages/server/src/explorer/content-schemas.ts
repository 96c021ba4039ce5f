// Schemas of a content object and of what stands in it, custom fields excepted.

import type { AuthorBody, ContentBody, ContentTypeBody, OpenGraphBody, SeoBody } from '@galley/wire';
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
    description: 'A moment in UTC, to the second, with its offset written out.',
    type: 'string',
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$',
  },
  Content: buildObjectSchema<ContentBody>('One content object.', {
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
  Author: buildObjectSchema<AuthorBody>('The by-line.', {
    id: referToSchema('Id'),
    name: { type: 'string' },
    email: TEXT_OR_NULL,
    profile_photo_url: TEXT_OR_NULL,
  }),
  ContentType: buildObjectSchema<ContentTypeBody>('What kind of content it is.', {
    id: referToSchema('Id'),
    name: { type: 'string' },
    handle: { description: 'The name to filter by.', type: 'string' },
    object_type: { type: 'string', enum: ['page', 'entry', 'block'] },
  }),
  Seo: buildObjectSchema<SeoBody>('What search engines should read. What was not set is null.', {
    title: { description: 'Falls back to the content’s name.', type: 'string' },
    description: TEXT_OR_NULL,
    robots: TEXT_OR_NULL,
    canonical_url: TEXT_OR_NULL,
    open_graph: referToSchema('OpenGraph'),
  }),
  OpenGraph: buildObjectSchema<OpenGraphBody>(
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
