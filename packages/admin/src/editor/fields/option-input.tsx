import { Radio, Select, Stack } from '@mantine/core';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { describeField, SHORT_INPUT } from './describe-field.ts';
import type { FieldInputProps } from './field-input-props.ts';
import { readOption } from './field-values.ts';
import { useFault, useForm } from './form-context.ts';

/** More than these are easier to find in a list that opens. */
const MOST_RADIOS = 4;

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
