// The parts that all forms share: the frame, the error message and the buttons.

import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import type { ApiForm } from './use-api-form.ts';

interface FormFrameProps {
  readonly form: Pick<ApiForm<object>, 'form' | 'message'>;
  readonly autoComplete?: 'off';
  readonly children: ReactNode;
}

/** A form in one column: the error message, then its inputs and buttons. */
export function FormFrame({ form: { form, message }, autoComplete, children }: FormFrameProps) {
  return (
    <form {...form} autoComplete={autoComplete}>
      <Stack gap="md">
        <FormMessage message={message} />
        {children}
      </Stack>
    </form>
  );
}

/** The reason a form was rejected, if it is not shown next to an input. */
export function FormMessage({ message }: { readonly message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <Alert color="red" variant="light" role="alert">
      {message}
    </Alert>
  );
}

interface FormButtonsProps {
  readonly form: Pick<ApiForm<object>, 'isPending'>;
  readonly label: string;
  /** The link for leaving the form. */
  readonly children?: ReactNode;
}

export function FormButtons({ form, label, children }: FormButtonsProps) {
  return (
    <Group gap="xs">
      <Button type="submit" loading={form.isPending}>
        {label}
      </Button>
      {children}
    </Group>
  );
}

interface SaveButtonProps {
  readonly form: Pick<ApiForm<object>, 'isPending' | 'isChanged'>;
  readonly label?: string;
  /** True if this is not the main action on the page. */
  readonly isMinor?: boolean;
}

/** The button for a form that edits a record. The button is enabled once a value has changed. */
export function SaveButton({ form, label = SHELL_TEXTS.save, isMinor = false }: SaveButtonProps) {
  return (
    <div>
      <Button
        type="submit"
        variant={isMinor ? 'default' : 'filled'}
        loading={form.isPending}
        disabled={!form.isChanged}
      >
        {label}
      </Button>
    </div>
  );
}
