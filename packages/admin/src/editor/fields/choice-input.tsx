// Inputs for fields with a fixed set of values: yes or no, or one of several options.

import { Group, Radio, Select, Stack, Switch } from '@mantine/core';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { readOption, readSwitch } from './field-values.ts';
import { describeField, type FieldInputProps, SHORT_INPUT, useFault, useForm } from './form-context.ts';

/** Fields with more options use a drop-down list. */
const MOST_RADIOS = 4;

/**
 * An optional switch is off by default. A required switch is shown as two radio buttons, so that people can see whether a
 * value has been chosen.
 */
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

export function OptionInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const error = useFault(path, field.name);
  const options = field.options ?? [];
  const chosen = readOption(value) ?? null;
  const choose = (option: string | null): void =>
    onChange(option === null || option === '' ? undefined : { selected_option: option });
  if (options.length > MOST_RADIOS)
    return (
      <Select
        {...describeField(field, error)}
        styles={SHORT_INPUT}
        disabled={isReadOnly}
        data={options.map(({ label, value: option }) => ({ label, value: option }))}
        placeholder={EDITOR_TEXTS.chooseOption}
        clearable={!field.required}
        clearButtonProps={{ 'aria-label': EDITOR_TEXTS.clearOf(field.name) }}
        searchable
        value={chosen}
        onChange={choose}
      />
    );
  return (
    <Radio.Group
      label={field.name}
      description={field.help_text}
      withAsterisk={field.required}
      error={error}
      data-faulty={error === undefined ? undefined : true}
      value={chosen ?? ''}
      onChange={choose}
    >
      <Stack gap="xs" mt={6}>
        {options.map(({ label, value: option }) => (
          <Radio key={option} value={option} label={label} disabled={isReadOnly} />
        ))}
        {!field.required && <Radio value="" label={EDITOR_TEXTS.noOption} disabled={isReadOnly} />}
      </Stack>
    </Radio.Group>
  );
}
