import type { ManagedFieldBody } from '@galley/wire';
import { Stack } from '@mantine/core';
import { FieldInput } from './field-input.tsx';
import { type FieldValues, withValue } from './field-values.ts';

interface FieldListProps {
  readonly fields: readonly ManagedFieldBody[];
  readonly path: string;
  readonly values: FieldValues;
  readonly onChange: (values: FieldValues) => void;
}

/** The inputs of a content type or of a block. What readers are not shown is not asked for, and stays as it is. */
export function FieldList({ fields, path, values, onChange }: FieldListProps) {
  return (
    <Stack gap="lg">
      {fields
        .filter(({ hidden }) => !hidden)
        .map((field) => (
          <FieldInput
            key={field.handle}
            field={field}
            path={`${path}.${field.handle}`}
            value={values[field.handle]}
            onChange={(value) => onChange(withValue(values, field.handle, value))}
          />
        ))}
    </Stack>
  );
}
