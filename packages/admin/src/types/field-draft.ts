// A field while somebody works on it. It has the settings of every kind; the body that is sent has those of its own kind alone,
// and null where a setting is taken away.

import type { FieldOptionBody, ManagedFieldBody } from '@galley/wire';
import { type NumberText, parseNumber } from '../forms/parse-number.ts';
import { FIELD_TEXTS } from '../texts/field-texts.ts';
import type { FieldKind } from './field-kinds.ts';

/** The key of the field that is not there yet. */
export const NEW_FIELD = '-new';

export interface OptionDraft {
  /** Tells the rows apart, whatever is written into them. */
  readonly key: string;
  readonly label: string;
  readonly value: string;
  /** Content may hold its value, which must then stay. */
  readonly isSaved: boolean;
}

export interface FieldDraft {
  readonly name: string;
  readonly handle: string;
  readonly help_text: string;
  readonly required: boolean;
  readonly hidden: boolean;
  readonly format: NonNullable<ManagedFieldBody['format']>;
  readonly min_length: NumberText;
  readonly max_length: NumberText;
  readonly min: NumberText;
  readonly max: NumberText;
  readonly integer: boolean;
  readonly options: readonly OptionDraft[];
  readonly allowed_kinds: readonly string[];
  readonly allowed_types: readonly string[];
  readonly min_items: NumberText;
  readonly max_items: NumberText;
}

let optionCount = 0;

/** @param option that is there already; a new one begins empty */
export function createOptionDraft(option?: FieldOptionBody): OptionDraft {
  optionCount += 1;
  const { label, value } = option ?? { label: '', value: '' };
  return { key: `option-${optionCount}`, label, value, isSaved: option !== undefined };
}

/** @param field that is there already; a new one begins empty */
export function createFieldDraft(field?: ManagedFieldBody): FieldDraft {
  return {
    name: field?.name ?? '',
    handle: field?.handle ?? '',
    help_text: field?.help_text ?? '',
    required: field?.required ?? false,
    hidden: field?.hidden ?? false,
    format: field?.format ?? 'plain',
    min_length: field?.min_length ?? '',
    max_length: field?.max_length ?? '',
    min: field?.min ?? '',
    max: field?.max ?? '',
    integer: field?.integer ?? false,
    options: field?.options?.map(createOptionDraft) ?? [createOptionDraft()],
    allowed_kinds: field?.allowed_kinds ?? [],
    allowed_types: field?.allowed_types ?? [],
    min_items: field?.min_items ?? '',
    max_items: field?.max_items ?? '',
  };
}

export function buildFieldBody(kind: FieldKind, draft: FieldDraft) {
  const { name, handle, help_text, required, hidden } = draft;
  const head = { name, handle, help_text, required, hidden };
  const items = { min_items: readNumber(draft.min_items), max_items: readNumber(draft.max_items) };
  switch (kind) {
    case 'text':
      return {
        ...head,
        type: kind,
        format: draft.format,
        min_length: readNumber(draft.min_length),
        max_length: readNumber(draft.max_length),
      };
    case 'number':
      return { ...head, type: kind, min: readNumber(draft.min), max: readNumber(draft.max), integer: draft.integer };
    case 'boolean':
      return { ...head, type: kind };
    case 'date':
      return { ...head, type: kind };
    case 'option':
      return { ...head, type: kind, options: draft.options.map(({ label, value }) => ({ label, value })) };
    case 'list':
      return { ...head, type: kind, ...items };
    case 'assets':
      return { ...head, type: kind, ...items, allowed_kinds: [...draft.allowed_kinds] };
    case 'content_links':
      return { ...head, type: kind, ...items, allowed_types: [...draft.allowed_types] };
    case 'blocks':
      return { ...head, type: kind, ...items, allowed_types: [...draft.allowed_types] };
  }
}

/** The field as it would be, for the preview of its form. */
export function sketchField(id: string, kind: FieldKind, draft: FieldDraft): ManagedFieldBody {
  const { name, handle, help_text, required, hidden, format, integer, allowed_kinds, allowed_types } = draft;
  return {
    id,
    // What is being written may be the handle of another field as well.
    handle: id === NEW_FIELD ? NEW_FIELD : handle,
    name: name === '' ? FIELD_TEXTS.unnamed : name,
    type: kind,
    required,
    hidden,
    help_text: help_text === '' ? null : help_text,
    format,
    min_length: readNumber(draft.min_length) ?? undefined,
    max_length: readNumber(draft.max_length) ?? undefined,
    min: readNumber(draft.min) ?? undefined,
    max: readNumber(draft.max) ?? undefined,
    integer,
    options: listDifferent(draft.options),
    allowed_kinds: allowed_kinds.length === 0 ? undefined : allowed_kinds,
    allowed_types: allowed_types.length === 0 ? undefined : allowed_types,
    min_items: readNumber(draft.min_items) ?? undefined,
    max_items: readNumber(draft.max_items) ?? undefined,
  };
}

/** While they are written, options may be empty or the same. */
function listDifferent(options: readonly OptionDraft[]): readonly FieldOptionBody[] {
  const byValue = new Map(options.map(({ label, value }) => [value, { label, value }]));
  byValue.delete('');
  return [...byValue.values()];
}

function readNumber(text: NumberText): number | null {
  return parseNumber(text) ?? null;
}
