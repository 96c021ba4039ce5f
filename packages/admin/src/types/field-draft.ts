// Fields that are being edited. A draft has the settings for every kind of field. The request body has only those for the
// field's kind, with null for a cleared setting.

import type { FieldOptionBody, ManagedFieldBody } from '@galley/wire';
import { useCallback, useState } from 'react';
import { type NumberText, parseNumber } from '../forms/form-values.ts';
import { FIELD_TEXTS } from '../texts/type-texts.ts';
import type { FieldKind } from './field-kinds.tsx';

/** The key for a field that is being added. */
export const NEW_FIELD = '-new';

export interface OptionDraft {
  /** Identifies the row, regardless of what is typed into it. */
  readonly key: string;
  readonly label: string;
  readonly value: string;
  /** Whether the option is saved. If so, content may use its value, which must not change. */
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

/** @param option an existing option; a new option starts empty */
export function createOptionDraft(option?: FieldOptionBody): OptionDraft {
  optionCount += 1;
  const { label, value } = option ?? { label: '', value: '' };
  return { key: `option-${optionCount}`, label, value, isSaved: option !== undefined };
}

/** @param field an existing field; a new field starts empty */
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

/** The field as the preview shows it. */
export function sketchField(id: string, kind: FieldKind, draft: FieldDraft): ManagedFieldBody {
  const { name, handle, help_text, required, hidden, format, integer, allowed_kinds, allowed_types } = draft;
  return {
    id,
    // While somebody is typing, the handle may be the same as another field's.
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

/** Omits empty and duplicate options, which may exist while somebody is typing. */
function listDifferent(options: readonly OptionDraft[]): readonly FieldOptionBody[] {
  const byValue = new Map(options.map(({ label, value }) => [value, { label, value }]));
  byValue.delete('');
  return [...byValue.values()];
}

function readNumber(text: NumberText): number | null {
  return parseNumber(text) ?? null;
}

interface Draft {
  /** The field as it would be after saving. */
  readonly field: ManagedFieldBody;
  readonly isChanged: boolean;
}

/** @param key the id of the field, or NEW_FIELD */
export type DraftKeeper = (key: string, draft: Draft | undefined) => void;

/** All fields with unsaved changes. The preview shows them, and the panel asks for confirmation before people leave the page. */
export function useFieldDrafts() {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const keepDraft: DraftKeeper = useCallback((key, draft) => {
    setDrafts((known) => {
      const next = new Map(known);
      if (draft === undefined) next.delete(key);
      else next.set(key, draft);
      return next;
    });
  }, []);
  return { drafts, keepDraft };
}

/** A type's fields, including all unsaved changes. */
export function applyDrafts(
  fields: readonly ManagedFieldBody[],
  drafts: ReadonlyMap<string, Draft>,
): readonly ManagedFieldBody[] {
  const added = drafts.get(NEW_FIELD);
  return [
    ...fields.map((field) => drafts.get(field.id)?.field ?? field),
    ...(added === undefined ? [] : [added.field]),
  ];
}
