// What a field refers to, in its order, with a button that opens the dialog to choose more.

import { Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { AddButton } from './add-button.tsx';
import classes from './chosen-line.module.css';
import { FieldFrame } from './field-frame.tsx';
import type { FieldInputProps } from './field-input-props.ts';
import { useFault, useForm } from './form-context.ts';
import { ItemList } from './item-list.tsx';

interface ChosenListProps extends Pick<FieldInputProps, 'field' | 'path'> {
  readonly ids: readonly string[];
  readonly onOrder: (ids: readonly string[]) => void;
  readonly addLabel: string;
  readonly addLabelOf: (field: string) => string;
  readonly nameOf: (id: string) => string;
  readonly picker: (close: () => void) => ReactNode;
  readonly children: (id: string) => ReactNode;
}

export function ChosenList(props: ChosenListProps) {
  const { field, path, ids, onOrder, addLabel, addLabelOf, nameOf, picker, children } = props;
  const { isReadOnly } = useForm();
  const error = useFault(path, field.name);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <FieldFrame label={field.name} help={field.help_text} isRequired={field.required} error={error}>
      <ItemList items={ids} onChange={onOrder} nameOf={nameOf}>
        {(id) => <div className={classes.chosen}>{children(id)}</div>}
      </ItemList>
      {!isReadOnly && <AddButton text={addLabel} label={addLabelOf(field.name)} onClick={open} />}
      {isOpen && picker(close)}
    </FieldFrame>
  );
}

/** In place of what is not known yet, or not there any more. */
export function ChosenState({ id, isGone }: { readonly id: string; readonly isGone: boolean }) {
  if (!isGone) return <Skeleton height={20} width="60%" />;
  return (
    <Text size="sm" c="dimmed">
      {EDITOR_TEXTS.notThere(id)}
    </Text>
  );
}
