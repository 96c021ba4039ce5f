// The fields of a type, in their order. Any number of them can be open at once, so that nothing that was begun is lost by
// looking at another.

import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { MenuGrip } from '../elements/grip.tsx';
import { SortableList } from '../elements/sortable-list.tsx';
import { describeError } from '../forms/describe-error.ts';
import { FormMessage } from '../forms/form-message.tsx';
import { FIELD_TEXTS } from '../texts/field-texts.ts';
import { DeleteField } from './delete-field.tsx';
import { FieldForm } from './field-form.tsx';
import type { FieldKind } from './field-kinds.ts';
import { FieldRow } from './field-row.tsx';
import { KindPicker } from './kind-picker.tsx';
import { NewField } from './new-field.tsx';
import classes from './type-fields.module.css';
import type { DraftKeeper } from './use-field-drafts.ts';
import { useFieldOrder } from './use-field-order.ts';

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
