// A type's fields, in order. Any number of them can be open at once, so opening one does not discard unsaved changes in another.

import { arrayMove } from '@dnd-kit/sortable';
import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { api, readAnswer } from '../api/api.ts';
import { keepType, typeQuery } from '../content/type-queries.ts';
import { MenuGrip } from '../elements/grip.tsx';
import { SortableList } from '../elements/sortable-list.tsx';
import { describeError } from '../forms/describe-error.ts';
import { FormMessage } from '../forms/form-frame.tsx';
import { FIELD_TEXTS } from '../texts/type-texts.ts';
import { DeleteField } from './delete-field.tsx';
import type { DraftKeeper } from './field-draft.ts';
import { FieldForm } from './field-form.tsx';
import { type FieldKind, KindPicker } from './field-kinds.tsx';
import { FieldRow, NewField } from './field-row.tsx';
import classes from './type-fields.module.css';

interface TypeFieldsProps {
  readonly site: string;
  readonly type: ManagedTypeBody;
  readonly types: readonly ManagedTypeBody[];
  readonly keepDraft: DraftKeeper;
}

export function TypeFields({ site, type, types, keepDraft }: TypeFieldsProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [added, setAdded] = useState<FieldKind>();
  const listRef = useRef<HTMLDivElement>(null);
  const pickerRef = useRef<HTMLButtonElement>(null);
  const order = useFieldOrder(site, type);
  const toggle = ({ id }: ManagedFieldBody): void => {
    setOpen((known) => (known.has(id) ? new Set([...known].filter((each) => each !== id)) : new Set([...known, id])));
  };
  const closeForm = (field: ManagedFieldBody): void => {
    toggle(field);
    listRef.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field.id)}"]`)?.focus();
  };
  return (
    <div ref={listRef} className={classes.fields}>
      <FormMessage message={order.error === null ? undefined : describeError(order.error)} />
      {type.fields.length === 0 && added === undefined && <Text c="dimmed">{FIELD_TEXTS.emptyText}</Text>}
      <SortableList
        label={FIELD_TEXTS.listTitle}
        items={type.fields}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        onMove={order.move}
      >
        {(field) => (
          <FieldRow
            field={field}
            types={types}
            grip={<MenuGrip />}
            toggle={{ isOpen: open.has(field.id), onToggle: () => toggle(field) }}
          >
            {open.has(field.id) && (
              <FieldForm
                place={{ site, type, kind: field.type, field }}
                types={types}
                keepDraft={keepDraft}
                onClose={() => closeForm(field)}
              >
                <DeleteField site={site} type={type} field={field} onDeleted={() => pickerRef.current?.focus()} />
              </FieldForm>
            )}
          </FieldRow>
        )}
      </SortableList>
      {added !== undefined && (
        <NewField kind={added}>
          <FieldForm
            key={added}
            place={{ site, type, kind: added, field: undefined }}
            types={types}
            keepDraft={keepDraft}
            onClose={() => {
              flushSync(() => setAdded(undefined));
              pickerRef.current?.focus();
            }}
          />
        </NewField>
      )}
      {added === undefined && <KindPicker ref={pickerRef} onPick={setAdded} />}
    </div>
  );
}

interface FieldOrder {
  readonly move: (from: number, to: number) => void;
  readonly error: Error | null;
}

/** Shows a new order immediately, then saves it. If that fails, restores the old order. */
function useFieldOrder(site: string, type: ManagedTypeBody): FieldOrder {
  const queryClient = useQueryClient();
  const { queryKey } = typeQuery(site, type.handle);
  const work = useMutation({
    mutationFn: (next: ManagedTypeBody) =>
      readAnswer(
        api.PUT('/manage/v1/sites/{site}/types/{type}/field-order', {
          params: { path: { site, type: type.handle } },
          body: { fields: next.fields.map(({ id }) => id) },
        }),
      ),
    // Saves run one after another, so the last order wins.
    scope: { id: `field-order ${site} ${type.handle}` },
    onMutate: (next) => queryClient.setQueryData(queryKey, next),
    onSuccess: (_, next) => keepType(queryClient, site, queryClient.getQueryData(queryKey) ?? next),
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });
  return {
    move: (from, to) => work.mutate({ ...type, fields: arrayMove([...type.fields], from, to) }),
    error: work.error,
  };
}

interface FieldListProps {
  readonly fields: readonly ManagedFieldBody[];
  readonly types: readonly ManagedTypeBody[];
}

/** A read-only list of a type's fields. */
export function FieldList({ fields, types }: FieldListProps) {
  if (fields.length === 0) return <Text c="dimmed">{FIELD_TEXTS.emptyTextEditor}</Text>;
  return (
    <ul className={classes.plain} aria-label={FIELD_TEXTS.listTitle}>
      {fields.map((field) => (
        <li key={field.id}>
          <FieldRow field={field} types={types} toggle={undefined} />
        </li>
      ))}
    </ul>
  );
}
