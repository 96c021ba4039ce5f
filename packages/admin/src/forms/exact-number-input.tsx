// A number that is what the input shows. What was typed stays as long as it is that number: `12.0` is 12 on the way to 12.05.

import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { type NumberText, parseNumber } from './parse-number.ts';

interface ExactNumberInputProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  /** Undefined where there is none. */
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
