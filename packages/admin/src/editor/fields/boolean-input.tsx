import { Switch } from '@mantine/core';
import type { FieldInputProps } from './field-input-props.ts';
import { readSwitch } from './field-values.ts';
import { useFault, useForm } from './form-context.ts';

export function BooleanInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const error = useFault(path);
  return (
    <Switch
      label={field.name}
      description={field.help_text}
      error={error}
      data-faulty={error === undefined ? undefined : true}
      disabled={isReadOnly}
      checked={readSwitch(value)}
      onChange={(event) => onChange({ is_on: event.currentTarget.checked })}
    />
  );
}
