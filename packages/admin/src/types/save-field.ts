import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import type { QueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { isConflict } from '../api/api-error.ts';
import { keepType, typeQuery } from '../content/type-queries.ts';
import { pickChanged } from '../forms/pick-changed.ts';
import { buildFieldBody, type FieldDraft } from './field-draft.ts';
import type { FieldKind } from './field-kinds.ts';

/** Where a field stands, or will. */
export interface FieldPlace {
  readonly site: string;
  readonly type: ManagedTypeBody;
  readonly kind: FieldKind;
  /** Undefined for one that is new. */
  readonly field: ManagedFieldBody | undefined;
}

/**
 * @param initial what the form began with; only what differs is sent of a field that is there
 * @param isSure whether options that content has chosen may go
 */
export function saveField(
  { site, type, kind, field }: FieldPlace,
  draft: FieldDraft,
  initial: FieldDraft,
  isSure: boolean,
): Promise<ManagedFieldBody> {
  const body = buildFieldBody(kind, draft);
  const path = { site, type: type.handle };
  if (field === undefined) {
    return readAnswer(api.POST('/manage/v1/sites/{site}/types/{type}/fields', { params: { path }, body }));
  }
  return readAnswer(
    api.PATCH('/manage/v1/sites/{site}/types/{type}/fields/{field}', {
      params: { path: { ...path, field: field.handle }, query: isSure ? { confirm: field.handle } : {} },
      body: pickChanged(body, buildFieldBody(kind, initial)),
    }),
  );
}

/** The API deletes nothing that was not confirmed; its refusal says how much content has a value there. */
export async function countFieldUses(site: string, type: ManagedTypeBody, field: ManagedFieldBody): Promise<number> {
  try {
    await deleteField(site, type, field, {});
  } catch (error) {
    if (isConflict(error) && typeof error.details.contents_with_value === 'number') {
      return error.details.contents_with_value;
    }
    throw error;
  }
  throw new Error('The field was deleted without being confirmed.');
}

export async function deleteField(
  site: string,
  type: ManagedTypeBody,
  { handle }: ManagedFieldBody,
  query: { readonly confirm?: string },
): Promise<void> {
  const path = { site, type: type.handle, field: handle };
  await readAnswer(api.DELETE('/manage/v1/sites/{site}/types/{type}/fields/{field}', { params: { path, query } }));
}

/** After a change of its fields, what is known of the type. */
export async function keepFields(
  queryClient: QueryClient,
  site: string,
  type: ManagedTypeBody,
  change: (fields: readonly ManagedFieldBody[]) => readonly ManagedFieldBody[],
): Promise<void> {
  const known = queryClient.getQueryData(typeQuery(site, type.handle).queryKey) ?? type;
  await keepType(queryClient, site, { ...known, fields: change(known.fields) });
}
