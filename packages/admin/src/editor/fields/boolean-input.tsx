import { Group, Radio, Switch } from '@mantine/core';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import type { FieldInputProps } from './field-input-props.ts';
import { readSwitch } from './field-values.ts';
import { useFault, useForm } from './form-context.ts';

/** A switch is off until somebody says otherwise. Where an answer is required, one that was not given must be seen. */
export function BooleanInput(props: FieldInputProps) {
  return props.field.required ? <RequiredChoice {...props} /> : <OptionalSwitch {...props} />;
}

function OptionalSwitch({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const error = useFault(path, field.name);
  return (
    <Switch
      label={field.name}
      description={field.help_text}
      error={error}
      data-faulty={error === undefined ? undefined : true}
      disabled={isReadOnly}
      checked={readSwitch(value) ?? false}
      onChange={(event) => onChange({ is_on: event.currentTarget.checked })}
    />
  );
}

function RequiredChoice({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const error = useFault(path, field.name);
  const isOn = readSwitch(value);
  return (
    <Radio.Group
      label={field.name}
      description={field.help_text}
      withAsterisk
      error={error}
      data-faulty={error === undefined ? undefined : true}
      value={isOn === undefined ? '' : String(isOn)}
      onChange={(choice) => onChange({ is_on: choice === 'true' })}
    >
      <Group gap="lg" mt={6}>
        <Radio value="true" label={EDITOR_TEXTS.switchedOn} disabled={isReadOnly} />
        <Radio value="false" label={EDITOR_TEXTS.switchedOff} disabled={isReadOnly} />
      </Group>
    </Radio.Group>
  );
}
