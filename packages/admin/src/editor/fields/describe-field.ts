import type { ManagedFieldBody } from '@galley/wire';

/** What Mantine's inputs are told of a field. */
export function describeField({ name, help_text, required }: ManagedFieldBody, error: string | undefined) {
  return {
    label: name,
    description: help_text,
    withAsterisk: required,
    'aria-required': required,
    error,
    'data-faulty': error === undefined ? undefined : true,
  };
}
