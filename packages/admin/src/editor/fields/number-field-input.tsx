import { ExactNumberInput } from '../../forms/exact-number-input.tsx';
import { describeField, SHORT_INPUT } from './describe-field.ts';
import type { FieldInputProps } from './field-input-props.ts';
import { readNumber } from './field-values.ts';
import { useFault, useForm } from './form-context.ts';

export function NumberFieldInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const error = useFault(path);
  return (
    <ExactNumberInput
      {...describeField(field, error)}
      styles={SHORT_INPUT}
      readOnly={isReadOnly}
      allowDecimal={field.integer !== true}
      value={readNumber(value)}
      onChange={(number) => onChange(number === undefined ? undefined : { number })}
    />
  );
}
