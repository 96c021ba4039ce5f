import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import type { QueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { keepType, typeQuery } from '../content/type-queries.ts';
import { pickChanged } from '../forms/form-values.ts';
import { FIELD_TEXTS } from '../texts/type-texts.ts';
import { buildFieldBody, type FieldDraft } from './field-draft.ts';
import type { FieldKind } from './field-kinds.tsx';

/** A field of a type, or one that is about to be added. */
export interface FieldPlace {
  readonly site: string;
  readonly type: ManagedTypeBody;
  readonly kind: FieldKind;
  /** Undefined for a new one. */
  readonly field: ManagedFieldBody | undefined;
}

/**
 * @param initial what the form began with; for an existing field, only the differences are sent
 * @param isSure whether to remove options that content uses
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

interface LostOption {
  readonly value: string;
  readonly contents: number;
}

/** @param details of the API's refusal to remove options that content uses */
export function describeLostOptions(
  details: Readonly<Record<string, unknown>>,
  field: ManagedFieldBody | undefined,
): string {
  const lost = Array.isArray(details.options) ? details.options.filter(isLostOption) : [];
  const labels = new Map(field?.options?.map(({ label, value }) => [value, label]));
  return FIELD_TEXTS.lossText(
    lost.map(({ value, contents }) => FIELD_TEXTS.lossOf(labels.get(value) ?? value, contents)),
  );
}

function isLostOption(option: unknown): option is LostOption {
  return (
    typeof option === 'object' &&
    option !== null &&
    'value' in option &&
    typeof option.value === 'string' &&
    'contents' in option &&
    typeof option.contents === 'number'
  );
}

/** After a change of a type's fields: shows the type with them. */
export async function keepFields(
  queryClient: QueryClient,
  site: string,
  type: ManagedTypeBody,
  change: (fields: readonly ManagedFieldBody[]) => readonly ManagedFieldBody[],
): Promise<void> {
  const known = queryClient.getQueryData(typeQuery(site, type.handle).queryKey) ?? type;
  await keepType(queryClient, site, { ...known, fields: change(known.fields) });
}
