// A moment, entered in the editor's own time zone and kept in UTC. While its parts are entered one by one it is no moment:
// what was there before is kept until it is one again, or until everything is cleared.

import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { readTimeZone } from '../../elements/time-text.tsx';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { describeField, SHORT_INPUT } from './describe-field.ts';
import type { FieldInputProps } from './field-input-props.ts';
import { readDate } from './field-values.ts';
import { useFault, useForm } from './form-context.ts';
import { formatLocalTime, LATEST_LOCAL_TIME, parseLocalTime } from './local-time.ts';

export function DateInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const fault = useFault(path, field.name);
  const [isWaiting, setIsWaiting] = useState(false);
  const date = readDate(value);
  const zone = EDITOR_TEXTS.inZone(readTimeZone());
  const take = (input: HTMLInputElement): void => {
    // No browser lets anybody type such a year; whatever fills it in gets back what was there.
    if (input.validity.rangeOverflow) return;
    setIsWaiting(input.validity.badInput);
    if (input.validity.badInput) return;
    const time = parseLocalTime(input.value);
    onChange(time === undefined ? undefined : { date: time });
  };
  /** Browsers tell of no change between a part of a moment and none at all: both have no value. */
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
      // Anything else would take the parts away that are there.
      value={date === undefined || isWaiting ? '' : formatLocalTime(date)}
      onChange={(event) => take(event.currentTarget)}
      onKeyUp={(event) => lookAgain(event.currentTarget)}
      onBlur={(event) => lookAgain(event.currentTarget)}
    />
  );
}
