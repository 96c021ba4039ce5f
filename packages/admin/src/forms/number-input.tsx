// Mantine's number input, except that it reads pasted numbers the way people write them, and says why it rejects one. Mantine's input drops
// characters that it does not recognise, so that a pasted 1,5 would become 15.

import { NumberInput as MantineNumberInput, type NumberInputProps as MantineProps } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import { removeMarks } from '../../../preview/src/remove-marks.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { readPastedNumber } from './read-pasted-number.ts';

export interface NumberInputProps extends Omit<MantineProps, 'label'> {
  /** The error messages include the label. */
  readonly label: string;
}

export function NumberInput({ error, ...input }: NumberInputProps) {
  const { label, onChange, allowDecimal = true, allowNegative = true, readOnly = false } = input;
  const [refusal, setRefusal] = useState<string>();

  const onPaste = (event: ClipboardEvent<HTMLElement>): void => {
    const pasted = removeMarks(event.clipboardData.getData('text')).trim();
    const { target } = event;
    if (/^\d*$/.test(pasted) || readOnly || !(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    event.stopPropagation();
    const { value: shown, selectionStart, selectionEnd } = target;
    const text = `${shown.slice(0, selectionStart ?? 0)}${pasted}${shown.slice(selectionEnd ?? shown.length)}`;
    const number = readPastedNumber(text);
    const found = findRefusal(number, text);
    setRefusal(found);
    if (found === undefined && typeof number === 'number') onChange?.(number);
  };

  const findRefusal = (number: ReturnType<typeof readPastedNumber>, text: string): string | undefined => {
    if (number === undefined) return SHELL_TEXTS.noNumber(text);
    if (number === 'unclear') return SHELL_TEXTS.unclearNumber(text);
    if (number < 0 && !allowNegative) return SHELL_TEXTS.noNegativeNumbers(label);
    return Number.isInteger(number) || allowDecimal ? undefined : SHELL_TEXTS.wholeNumbers(label);
  };

  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (!allowDecimal && (key === ',' || key === '.')) setRefusal(SHELL_TEXTS.wholeNumbers(label));
    if (key === 'Backspace' || key === 'Delete') setRefusal(undefined);
  };

  return (
    <MantineNumberInput
      {...input}
      error={refusal ?? error}
      onPasteCapture={onPaste}
      onKeyDownCapture={onKeyDown}
      onBlurCapture={() => setRefusal(undefined)}
    />
  );
}
