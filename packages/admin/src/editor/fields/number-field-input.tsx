import { ExactNumberInput } from '../../forms/exact-number-input.tsx';
import { readNumber } from './field-values.ts';
import { describeField, type FieldInputProps, SHORT_INPUT, useFault, useForm } from './form-context.ts';

export function NumberFieldInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  return (
    <ExactNumberInput
      {...describeField(field, useFault(path, field.name))}
      styles={SHORT_INPUT}
      readOnly={isReadOnly}
      allowDecimal={field.integer !== true}
      value={readNumber(value)}
      onChange={(number) => onChange(number === undefined ? undefined : { number })}
    />
  );
}
