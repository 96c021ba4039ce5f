// A number input that keeps the typed text as long as the number stays the same: people can type `12.0` on the way to `12.05`.

import { useState } from 'react';
import { type NumberText, parseNumber } from './form-values.ts';
import { NumberInput, type NumberInputProps } from './number-input.tsx';

interface ExactNumberInputProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  /** Undefined if the input is empty. */
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

export function ExactNumberInput({ value, onChange, ...others }: ExactNumberInputProps) {
  const [typed, setTyped] = useState<NumberText>('');
  return (
    <NumberInput
      {...others}
      value={parseNumber(typed) === value ? typed : (value ?? '')}
      isAllowed={({ floatValue = 0 }) => Math.abs(floatValue) <= Number.MAX_SAFE_INTEGER}
      onChange={(text) => {
        setTyped(text);
        onChange(parseNumber(text));
      }}
      onBlur={() => setTyped('')}
    />
  );
}
