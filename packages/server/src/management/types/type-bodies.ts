// Content types and fields as the management API answers them.

import type { ManagedFieldBody, ManagedTypeBody, ManagedTypeListBody } from '@galley/wire';
import { z } from 'zod';
import { describeField } from '../../content/content-type-definition.ts';
import type { ContentType, Field } from '../../content/field.ts';

const count = z.int().optional();
const handles = z.array(z.string()).optional();

export const fieldBody: z.ZodType<ManagedFieldBody> = z
  .strictObject({
    id: z.string(),
    handle: z.string(),
    name: z.string(),
    type: z.enum(['text', 'number', 'boolean', 'date', 'list', 'option', 'assets', 'blocks', 'content_links']),
    required: z.boolean(),
    hidden: z.boolean(),
    help_text: z.string().nullable(),
    format: z.enum(['plain', 'markdown', 'html']).optional(),
    min_length: count,
    max_length: count,
    min: z.number().optional(),
    max: z.number().optional(),
    integer: z.boolean().optional(),
    options: z.array(z.strictObject({ label: z.string(), value: z.string() })).optional(),
    allowed_kinds: handles,
    allowed_types: handles,
    min_items: count,
    max_items: count,
  })
  .meta({ id: 'Field' });

export const typeBody: z.ZodType<ManagedTypeBody> = z
  .strictObject({
    id: z.string(),
    handle: z.string(),
    name: z.string(),
    object_type: z.enum(['page', 'entry', 'block']),
    uri_pattern: z.string(),
    fields: z.array(fieldBody),
  })
  .meta({ id: 'ContentType' });

export const typeListBody: z.ZodType<ManagedTypeListBody> = z
  .strictObject({ data: z.array(typeBody) })
  .meta({ id: 'ContentTypeList' });

export function renderField(field: Field): ManagedFieldBody {
  return { id: field.id, ...describeField(field) };
}

export function renderType({ id, handle, name, objectType, uriPattern, fields }: ContentType): ManagedTypeBody {
  return { id, handle, name, object_type: objectType, uri_pattern: uriPattern, fields: fields.map(renderField) };
}
