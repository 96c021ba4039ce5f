import { Stack } from '@mantine/core';
import { memo, useCallback, useLayoutEffect, useRef } from 'react';
import { FieldInput } from './field-input.tsx';
import type { FieldInputProps } from './field-input-props.ts';
import { withValue } from './field-values.ts';
import { type FieldListProps, NestedFields } from './nested-fields.ts';

/** The inputs of a content type or of a block. What readers are not shown is not asked for, and stays as it is. */
export function FieldList({ fields, path, values, onChange }: FieldListProps) {
  const newest = useRef({ values, onChange });
  useLayoutEffect(() => {
    newest.current = { values, onChange };
  });
  const changeField = useCallback((handle: string, value: unknown): void => {
    const form = newest.current;
    form.onChange(withValue(form.values, handle, value));
  }, []);
  return (
    <NestedFields value={FieldList}>
      <Stack gap="lg">
        {fields
          .filter(({ hidden }) => !hidden)
          .map((field) => (
            <Field
              key={field.handle}
              field={field}
              path={`${path}.${field.handle}`}
              value={values[field.handle]}
              onChange={changeField}
            />
          ))}
      </Stack>
    </NestedFields>
  );
}

interface FieldProps extends Omit<FieldInputProps, 'onChange'> {
  readonly onChange: (handle: string, value: unknown) => void;
}

/** Is shown anew when its own value changes: a long list would slow down writing anywhere else. */
const Field = memo(function Field({ onChange, ...props }: FieldProps) {
  return <FieldInput {...props} onChange={(value) => onChange(props.field.handle, value)} />;
});
