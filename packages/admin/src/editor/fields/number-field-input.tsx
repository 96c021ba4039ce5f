import { NumberInput } from '@mantine/core';
import { describeField, SHORT_INPUT } from './describe-field.ts';
import type { FieldInputProps } from './field-input.tsx';
import { readNumber } from './field-values.ts';
import { useFault, useForm } from './form-context.ts';

export function NumberFieldInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const error = useFault(path);
  return (
    <NumberInput
      {...describeField(field, error)}
      styles={SHORT_INPUT}
      readOnly={isReadOnly}
      allowDecimal={field.integer !== true}
      value={readNumber(value) ?? ''}
      onChange={(number) => {
        // A lone minus is on its way to a number.
        if (number === '') onChange(undefined);
        else if (typeof number === 'number') onChange({ number });
      }}
    />
  );
}
