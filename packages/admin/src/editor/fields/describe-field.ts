import type { ManagedFieldBody } from '@galley/wire';

/** For values that are short; labels and help have the whole width. */
export const SHORT_INPUT = { wrapper: { maxWidth: '20rem' } } as const;

/** A text runs as its script does, whatever the panel's own language. Mantine's `dir` is for what stands around an input. */
export const BY_SCRIPT = { input: { dir: 'auto' } } as const;

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
