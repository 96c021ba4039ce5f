// The fields of a content type. Only deleting a field changes saved content.

import { z } from 'zod';
import { addField } from '../../authoring/types/add-field.ts';
import { deleteField } from '../../authoring/types/delete-field.ts';
import { type FieldPath, updateField } from '../../authoring/types/update-field.ts';
import { fieldDefinition } from '../../content/content-type-definition.ts';
import { strictMembers } from '../../content/schema-members.ts';
import { defineRoute, type Route } from '../route.ts';
import { fieldBody, renderField } from './type-routes.ts';

const tag = 'Content types';
const fieldsPath = '/sites/{site}/types/{type}/fields';

const confirmation = strictMembers('the query', {
  confirm: z.string().optional().meta({ description: 'The handle of the field, to confirm the loss of its values.' }),
});

/** The allowed settings depend on the field's type, and only the stored field contains the type. */
const fieldChange = z
  .record(z.string(), z.unknown(), { error: 'must be an object' })
  .meta({ id: 'FieldChange', description: 'Properties of a field definition. Null removes a setting.' });

function readFieldPath(path: Readonly<Record<string, string>>): FieldPath {
  return { siteId: path.site ?? '', typeName: path.type ?? '', fieldName: path.field ?? '' };
}

export const FIELD_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'addField',
    method: 'POST',
    path: fieldsPath,
    who: 'owner',
    tag,
    summary: 'Add a field to a content type',
    description:
      'The field is added after the existing ones. Existing content has no value for it, so adding a required field ' +
      'returns 409 while the type has published content.',
    body: fieldDefinition,
    status: 201,
    answer: fieldBody,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body }) =>
      renderField(await addField(desk, actor, path.site ?? '', path.type ?? '', body)),
  }),
  defineRoute({
    operationId: 'updateField',
    method: 'PATCH',
    path: `${fieldsPath}/{field}`,
    who: 'owner',
    tag,
    summary: 'Change a field',
    description:
      'Changes its name, help text and settings, and whether it is required or hidden. Content that violates the new ' +
      'settings stays readable, but must meet them when it is next published. Making the field required, or showing a ' +
      'required field again, returns 409 while published content has no value for it; `details` has the number of such ' +
      'objects and names some of them. Removing an option that is selected in content returns 409 with the count, unless ' +
      '`confirm` names the field.',
    query: confirmation,
    body: fieldChange,
    status: 200,
    answer: fieldBody,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, query, body }) =>
      renderField(await updateField(desk, actor, readFieldPath(path), body, query.confirm)),
  }),
  defineRoute({
    operationId: 'deleteField',
    method: 'DELETE',
    path: `${fieldsPath}/{field}`,
    who: 'owner',
    tag,
    summary: 'Delete a field and all its values',
    description:
      'Returns 409 with the number of content objects that have a value for it, unless `confirm` names the field. ' +
      'The values are then deleted permanently, including those in old versions.',
    query: confirmation,
    status: 204,
    answer: null,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, query }) => deleteField(desk, actor, readFieldPath(path), query.confirm),
  }),
];
