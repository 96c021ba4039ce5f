import { Stack } from '@mantine/core';
import { FieldInput } from './field-input.tsx';
import { withValue } from './field-values.ts';
import { type FieldListProps, NestedFields } from './nested-fields.ts';

/** The inputs of a content type or of a block. What readers are not shown is not asked for, and stays as it is. */
export function FieldList({ fields, path, values, onChange }: FieldListProps) {
  return (
    <NestedFields value={FieldList}>
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
    </NestedFields>
  );
}
