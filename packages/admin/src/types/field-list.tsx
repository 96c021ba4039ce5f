import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { Text } from '@mantine/core';
import { FIELD_TEXTS } from '../texts/field-texts.ts';
import { FieldRow } from './field-row.tsx';
import classes from './type-fields.module.css';

interface FieldListProps {
  readonly fields: readonly ManagedFieldBody[];
  readonly types: readonly ManagedTypeBody[];
}

/** The fields of a type for who may not change them. */
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
