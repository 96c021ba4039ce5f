// A moment, entered in the editor's own time zone and kept with its offset.

import { TextInput } from '@mantine/core';
import { readTimeZone } from '../../elements/time-text.tsx';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { describeField, SHORT_INPUT } from './describe-field.ts';
import type { FieldInputProps } from './field-input.tsx';
import { readDate } from './field-values.ts';
import { useFault, useForm } from './form-context.ts';
import { formatLocalTime, parseLocalTime } from './local-time.ts';

export function DateInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const error = useFault(path);
  const date = readDate(value);
  const zone = EDITOR_TEXTS.inZone(readTimeZone());
  return (
    <TextInput
      {...describeField(field, error)}
      description={field.help_text === null ? zone : `${field.help_text} · ${zone}`}
      type="datetime-local"
      step="any"
      styles={SHORT_INPUT}
      readOnly={isReadOnly}
      value={date === undefined ? '' : formatLocalTime(date)}
      onChange={(event) => {
        const time = parseLocalTime(event.currentTarget.value);
        onChange(time === undefined ? undefined : { date: time });
      }}
    />
  );
}
