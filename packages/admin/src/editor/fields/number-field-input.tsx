import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import { removeMarks } from '../../../../preview/src/remove-marks.ts';
import { ExactNumberInput } from '../../forms/exact-number-input.tsx';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { readNumber } from './field-values.ts';
import { describeField, type FieldInputProps, SHORT_INPUT, useFault, useForm } from './form-context.ts';
import { readPastedNumber } from './read-pasted-number.ts';

export function NumberFieldInput({ field, path, value, onChange }: FieldInputProps) {
  const { isReadOnly } = useForm();
  const fault = useFault(path, field.name);
  const [refusal, setRefusal] = useState<string>();
  const isWhole = field.integer === true;

  /** Without this, the input drops characters that it does not recognise, and 1,5 becomes 15. */
  const onPaste = (event: ClipboardEvent<HTMLElement>): void => {
    const pasted = removeMarks(event.clipboardData.getData('text')).trim();
    const { target } = event;
    if (/^\d*$/.test(pasted) || isReadOnly || !(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    event.stopPropagation();
    const { value: shown, selectionStart, selectionEnd } = target;
    const text = `${shown.slice(0, selectionStart ?? 0)}${pasted}${shown.slice(selectionEnd ?? shown.length)}`;
    const number = readPastedNumber(text);
    setRefusal(findRefusal(number, text));
    if (typeof number === 'number' && (!isWhole || Number.isInteger(number))) onChange({ number });
  };

  const findRefusal = (number: ReturnType<typeof readPastedNumber>, text: string): string | undefined => {
    if (number === undefined) return EDITOR_TEXTS.noNumber(text);
    if (number === 'unclear') return EDITOR_TEXTS.unclearNumber(text);
    return isWhole && !Number.isInteger(number) ? EDITOR_TEXTS.wholeNumbers(field.name) : undefined;
  };

  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (isWhole && (key === ',' || key === '.')) setRefusal(EDITOR_TEXTS.wholeNumbers(field.name));
    if (key === 'Backspace' || key === 'Delete') setRefusal(undefined);
  };

  return (
    <ExactNumberInput
      {...describeField(field, refusal ?? fault)}
      styles={SHORT_INPUT}
      readOnly={isReadOnly}
      allowDecimal={!isWhole}
      onPasteCapture={onPaste}
      onKeyDownCapture={onKeyDown}
      onBlurCapture={() => setRefusal(undefined)}
      value={readNumber(value)}
      onChange={(number) => onChange(number === undefined ? undefined : { number })}
    />
  );
}
