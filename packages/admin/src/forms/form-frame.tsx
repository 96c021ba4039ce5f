import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormMessage } from './form-message.tsx';
import type { ApiForm } from './use-api-form.ts';

interface FormFrameProps {
  readonly form: Pick<ApiForm<object>, 'form' | 'message'>;
  readonly autoComplete?: 'off';
  readonly children: ReactNode;
}

/** A form in one column: what it was refused for, then its fields and its buttons. */
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
