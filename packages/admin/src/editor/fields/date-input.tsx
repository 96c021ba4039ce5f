// The input for a date and time, entered in the editor's own time zone and stored in UTC. While somebody is filling it in, the previous
// value is kept until the new one is complete or cleared.

import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { readTimeZone } from '../../elements/time-text.tsx';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { readDate } from './field-values.ts';
import { describeField, type FieldInputProps, SHORT_INPUT, useFault, useForm } from './form-context.ts';
import { formatLocalTime, LATEST_LOCAL_TIME, parseLocalTime } from './local-time.ts';

export function DateInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const fault = useFault(path, field.name);
  const [isWaiting, setIsWaiting] = useState(false);
  const date = readDate(value);
  const zone = EDITOR_TEXTS.inZone(readTimeZone());
  const take = (input: HTMLInputElement): void => {
    // People cannot type a year that is too large, but a program can set one. The previous value is then restored.
    if (input.validity.rangeOverflow) return;
    setIsWaiting(input.validity.badInput);
    if (input.validity.badInput) return;
    const time = parseLocalTime(input.value);
    onChange(time === undefined ? undefined : { date: time });
  };
  /** Browsers report no change when an incomplete time is cleared, because an incomplete time has no value either. */
  const lookAgain = (input: HTMLInputElement): void => {
    if (input.validity.badInput !== isWaiting) take(input);
  };
  return (
    <TextInput
      {...describeField(field, isWaiting ? EDITOR_TEXTS.unfinishedDate : fault)}
      description={field.help_text === null ? zone : `${field.help_text} · ${zone}`}
      type="datetime-local"
      max={LATEST_LOCAL_TIME}
      step="any"
      styles={SHORT_INPUT}
      readOnly={isReadOnly}
      // Any other value would clear the parts that are already filled in.
      value={date === undefined || isWaiting ? '' : formatLocalTime(date)}
      onChange={(event) => take(event.currentTarget)}
      onKeyUp={(event) => lookAgain(event.currentTarget)}
      onBlur={(event) => lookAgain(event.currentTarget)}
    />
  );
}
