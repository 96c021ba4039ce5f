// Schemas for the nine types of custom fields, as a union with the discriminator `type`. Each type has exactly one accessor. In linked
// content, links are plain ids, so links do not nest endlessly.

import { buildNullable, buildObjectSchema, type JsonSchema, referToSchema } from './open-api.ts';

const PLACE: JsonSchema = { description: 'The position within the field, starting at 1.', type: 'integer', minimum: 1 };
const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] };

const FIELD_NAMES = {
  text: 'TextField',
  number: 'NumberField',
  boolean: 'BooleanField',
  date: 'DateField',
  list: 'ListField',
  option: 'OptionField',
  assets: 'AssetsField',
  blocks: 'BlocksField',
  content_links: 'ContentLinksField',
} as const;

type FieldKind = keyof typeof FIELD_NAMES;

const LINKED_FIELD_NAMES: Readonly<Record<FieldKind, string>> = {
  ...FIELD_NAMES,
  blocks: 'LinkedBlocksField',
  content_links: 'LinkedIdsField',
};

export const FIELD_SCHEMAS = {
  Fields: buildFieldMap(
    'The custom fields by handle, in the content type’s order. All fields are included, even those without a value.',
    'Field',
  ),
  Field: buildFieldUnion('A custom field. Its `type` determines which property contains the value.', FIELD_NAMES),
  TextField: buildFieldSchema('Text: plain, Markdown or HTML, depending on the field’s settings.', 'text', {
    text: TEXT_OR_NULL,
  }),
  NumberField: buildFieldSchema('A number. Integers are exact up to 2^53.', 'number', {
    number: { type: ['number', 'null'] },
  }),
  BooleanField: buildFieldSchema('A switch, off by default.', 'boolean', { is_on: { type: 'boolean' } }),
  DateField: buildFieldSchema('A point in time.', 'date', { date: buildNullable(referToSchema('Timestamp')) }),
  ListField: buildFieldSchema('A list of short text items.', 'list', {
    list: { type: 'array', items: referToSchema('ListItem') },
  }),
  ListItem: buildObjectSchema('One item in a list.', { sort: PLACE, text: { type: 'string' } }),
  OptionField: buildFieldSchema('One of several options.', 'option', {
    selected_option: buildNullable(referToSchema('Option')),
  }),
  Option: buildObjectSchema('The chosen option.', { label: { type: 'string' }, value: { type: 'string' } }),
  AssetsField: buildFieldSchema('Files, in the order chosen by the editor.', 'assets', {
    assets: { type: 'array', items: referToSchema('AssetItem') },
  }),
  AssetItem: buildObjectSchema('An asset with its position in the field.', {
    sort: PLACE,
    asset: referToSchema('Asset'),
  }),
  Asset: buildObjectSchema('A file that content refers to.', {
    id: referToSchema('Id'),
    name: { type: 'string' },
    description: TEXT_OR_NULL,
    path: { type: 'string' },
    url: { description: 'An http(s) URL, a path that starts with `/`, or a `data:` URL.', type: 'string' },
    extension: { type: 'string' },
    size: { description: 'In bytes.', type: 'integer', minimum: 0 },
    mime_type: { type: 'string' },
    is_image: { type: 'boolean' },
    width: { description: 'In pixels; null if not set.', type: ['integer', 'null'], minimum: 0 },
    height: { description: 'In pixels; null if not set.', type: ['integer', 'null'], minimum: 0 },
    focal_point: buildNullable(referToSchema('FocalPoint')),
    placeholder: {
      description: 'A small blurred version of an uploaded image: a ThumbHash in Base64. Null for other assets.',
      type: ['string', 'null'],
    },
  }),
  FocalPoint: buildObjectSchema('The most important point in an image. `fit=crop` keeps it in view.', {
    x: { description: 'The distance from the left, as a percentage.', type: 'number', minimum: 0, maximum: 100 },
    y: { description: 'The distance from the top, as a percentage.', type: 'number', minimum: 0, maximum: 100 },
  }),
  BlocksField: buildFieldSchema(
    'Blocks with their own fields. Blocks can contain other blocks, up to four levels deep.',
    'blocks',
    {
      blocks: { type: 'array', items: referToSchema('Block') },
    },
  ),
  Block: buildBlockSchema('Fields'),
  ContentLinksField: buildFieldSchema(
    'Links to other content. Content that the reader is not allowed to see is omitted.',
    'content_links',
    {
      content_links: { type: 'array', items: referToSchema('ContentLinkItem') },
    },
  ),
  ContentLinkItem: buildObjectSchema('A linked content object with its position in the field.', {
    sort: PLACE,
    content_link: referToSchema('ContentLink'),
  }),
  ContentLink: buildObjectSchema('A linked content object. Its own links are plain IDs.', {
    id: referToSchema('Id'),
    published_at: buildNullable(referToSchema('Timestamp')),
    name: { type: 'string' },
    slug: { type: 'string' },
    uri: { type: 'string' },
    url: TEXT_OR_NULL,
    fields: referToSchema('LinkedFields'),
  }),
  LinkedFields: buildFieldMap('The custom fields of linked content by handle.', 'LinkedField'),
  LinkedField: buildFieldUnion('A custom field of linked content.', LINKED_FIELD_NAMES),
  LinkedIdsField: buildFieldSchema(
    'Links in linked content: IDs only, so that links do not nest endlessly.',
    'content_links',
    {
      content_links: { type: 'array', items: referToSchema('Id') },
    },
  ),
  LinkedBlocksField: buildFieldSchema('The blocks of linked content.', 'blocks', {
    blocks: { type: 'array', items: referToSchema('LinkedBlock') },
  }),
  LinkedBlock: buildBlockSchema('LinkedFields'),
} satisfies Record<string, JsonSchema>;

function buildFieldSchema(
  description: string,
  kind: FieldKind,
  accessor: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return buildObjectSchema(description, {
    id: referToSchema('Id'),
    name: { type: 'string' },
    handle: { type: 'string' },
    help_text: TEXT_OR_NULL,
    type: { type: 'string', const: kind },
    ...accessor,
  });
}

function buildFieldMap(description: string, member: string): JsonSchema {
  return { description, type: 'object', additionalProperties: referToSchema(member) };
}

function buildFieldUnion(description: string, names: Readonly<Record<FieldKind, string>>): JsonSchema {
  const references = Object.entries(names).map(([kind, name]) => [kind, `#/components/schemas/${name}`] as const);
  return {
    description,
    type: 'object',
    oneOf: references.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(references) },
    required: ['type'],
  };
}

function buildBlockSchema(fields: 'Fields' | 'LinkedFields'): JsonSchema {
  return buildObjectSchema('One block with its own fields.', {
    name: TEXT_OR_NULL,
    sort: PLACE,
    content_type: referToSchema('ContentType'),
    fields: referToSchema(fields),
  });
}
