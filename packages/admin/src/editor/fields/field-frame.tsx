// The frame around an input with more than one control: its label, help text and error.

import { Group, Input } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './field-frame.module.css';

interface FieldFrameProps {
  readonly label: string;
  readonly help: string | null;
  readonly isRequired: boolean;
  readonly error: string | undefined;
  /** Shown beside the label. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function FieldFrame({ label, help, isRequired, error, aside, children }: FieldFrameProps) {
  const id = useId();
  return (
    <fieldset
      className={classes.frame}
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-help ${id}-error`}
      data-faulty={error === undefined ? undefined : true}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Input.Label labelElement="div" id={`${id}-label`} required={isRequired}>
          {label}
        </Input.Label>
        {aside}
      </Group>
      <Input.Description id={`${id}-help`}>{help}</Input.Description>
      {children}
      <Input.Error id={`${id}-error`}>{error}</Input.Error>
    </fieldset>
  );
}
