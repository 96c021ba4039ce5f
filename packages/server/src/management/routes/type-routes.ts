// Content types. All users in the account can read them; owners define them.

import type { ManagedFieldBody, ManagedTypeBody, ManagedTypeListBody } from '@galley/wire';
import { z } from 'zod';
import { openReader } from '../../authoring/desk.ts';
import { findCatalog } from '../../authoring/sites/find-site.ts';
import { createType, deleteType, orderFields, updateType } from '../../authoring/types/content-types.ts';
import { findType } from '../../authoring/types/type-names.ts';
import {
  describeField,
  newContentType,
  objectTypeMember,
  uriPatternMember,
} from '../../content/content-type-definition.ts';
import type { ContentType, Field } from '../../content/field.ts';
import { handleMember, nameMember, orUnset, strictMembers } from '../../content/schema-members.ts';
import { defineRoute, type Route } from '../route.ts';

const count = z.int().optional();
const handles = z.array(z.string()).optional();

const optionBody = z.strictObject({ label: z.string(), value: z.string() }).meta({ id: 'FieldOption' });

export const fieldBody: z.ZodType<ManagedFieldBody> = z
  .strictObject({
    id: z.string(),
    handle: z.string().describe('The name of the field in content and in front ends; cannot be changed later.'),
    name: z.string(),
    type: z
      .enum(['text', 'number', 'boolean', 'date', 'list', 'option', 'assets', 'blocks', 'content_links'])
      .describe('Cannot be changed later.'),
    required: z.boolean().describe('Whether content must have a value in this field to be published.'),
    hidden: z.boolean().describe('Whether the field is hidden from readers; its values are kept.'),
    help_text: z.string().nullable(),
    format: z.enum(['plain', 'markdown', 'html']).optional(),
    min_length: count,
    max_length: count,
    min: z.number().optional(),
    max: z.number().optional(),
    integer: z.boolean().optional().describe('Whether only whole numbers are allowed.'),
    options: z.array(optionBody).optional(),
    allowed_kinds: handles.describe('Media types, or prefixes such as `image/`.'),
    allowed_types: handles.describe('Handles of the block types or linked types that are allowed here.'),
    min_items: count,
    max_items: count,
  })
  .meta({ id: 'Field' });

const typeBody: z.ZodType<ManagedTypeBody> = z
  .strictObject({
    id: z.string(),
    handle: z.string().describe('Cannot be changed later.'),
    name: z.string(),
    object_type: z.enum(['page', 'entry', 'block']).describe('Cannot be changed later.'),
    uri_pattern: z.string().describe('The pattern for content uris, like `blog/{slug}`.'),
    fields: z.array(fieldBody),
  })
  .meta({ id: 'ContentType' });

const typeListBody: z.ZodType<ManagedTypeListBody> = z
  .strictObject({ data: z.array(typeBody) })
  .meta({ id: 'ContentTypeList' });

export function renderField(field: Field): ManagedFieldBody {
  return { id: field.id, ...describeField(field) };
}

function renderType({ id, handle, name, objectType, uriPattern, fields }: ContentType): ManagedTypeBody {
  return { id, handle, name, object_type: objectType, uri_pattern: uriPattern, fields: fields.map(renderField) };
}

const tag = 'Content types';
const typePath = '/sites/{site}/types/{type}';

const typeChange = strictMembers('a content type', {
  name: orUnset(nameMember),
  uri_pattern: orUnset(uriPatternMember),
  handle: orUnset(handleMember),
  object_type: orUnset(objectTypeMember),
});

const MOST_NAMES = 1000;
const fieldNames = z.array(z.string({ error: 'must be the id or the handle of a field' }), {
  error: 'must be an array of the ids or handles of all fields',
});

export const TYPE_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listContentTypes',
    method: 'GET',
    path: '/sites/{site}/types',
    who: 'member',
    tag,
    summary: 'List a site’s content types, with their fields',
    status: 200,
    answer: typeListBody,
    refusals: [404],
    run: async ({ desk, actor, path }) => {
      const { types } = await findCatalog(openReader(desk, actor), path.site ?? '');
      return { data: types.map(renderType) };
    },
  }),
  defineRoute({
    operationId: 'createContentType',
    method: 'POST',
    path: '/sites/{site}/types',
    who: 'owner',
    tag,
    summary: 'Create a content type',
    description:
      'The handle and the object type cannot be changed later. The default `uri_pattern` is `{slug}`, and ' +
      '`{language}/{slug}` in a site with several languages.',
    body: newContentType,
    status: 201,
    answer: typeBody,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body }) => renderType(await createType(desk, actor, path.site ?? '', body)),
  }),
  defineRoute({
    operationId: 'getContentType',
    method: 'GET',
    path: typePath,
    who: 'member',
    tag,
    summary: 'Read a content type by id or handle',
    status: 200,
    answer: typeBody,
    state: (type) => type,
    refusals: [404],
    run: async ({ desk, actor, path }) =>
      renderType(findType(await findCatalog(openReader(desk, actor), path.site ?? ''), path.type ?? '')),
  }),
  defineRoute({
    operationId: 'updateContentType',
    method: 'PATCH',
    path: typePath,
    who: 'owner',
    tag,
    summary: 'Rename a content type, or change its uri pattern',
    description: 'A new uri pattern applies to content that is saved or published from then on.',
    body: typeChange,
    status: 200,
    answer: typeBody,
    refusals: [404, 422],
    run: async ({ desk, actor, path, body }) =>
      renderType(await updateType(desk, actor, path.site ?? '', path.type ?? '', body)),
  }),
  defineRoute({
    operationId: 'deleteContentType',
    method: 'DELETE',
    path: typePath,
    who: 'owner',
    tag,
    summary: 'Delete a content type that nothing uses',
    description:
      'Returns 409 while there is content of the type in any state, while content contains blocks of it, or while fields of ' +
      'other types list it in their allowed types. `details` contains the counts.',
    status: 204,
    answer: null,
    refusals: [404, 409],
    run: ({ desk, actor, path }) => deleteType(desk, actor, path.site ?? '', path.type ?? ''),
  }),
  defineRoute({
    operationId: 'setFieldOrder',
    method: 'PUT',
    path: `${typePath}/field-order`,
    who: 'owner',
    tag,
    summary: 'Change the order of a content type’s fields',
    body: strictMembers('the body', {
      fields: fieldNames.max(MOST_NAMES, { error: `must be an array of at most ${MOST_NAMES} fields` }),
    }),
    status: 200,
    answer: typeBody,
    refusals: [404, 422],
    run: async ({ desk, actor, path, body }) =>
      renderType(await orderFields(desk, actor, path.site ?? '', path.type ?? '', body.fields)),
  }),
];
