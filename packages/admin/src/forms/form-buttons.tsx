// The buttons that send a form.

import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import type { ApiForm } from './use-api-form.ts';

interface FormButtonsProps {
  readonly form: Pick<ApiForm<object>, 'isPending'>;
  readonly label: string;
  /** The way out of it. */
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
  /** It is not what people come to the page for. */
  readonly isMinor?: boolean;
}

/** For a form of what is there already: nothing is sent before something was changed. */
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
