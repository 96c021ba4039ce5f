// The context that every input in a form needs, however deeply it is nested in blocks.

import type { ManagedFieldBody, ManagedTypeBody } from '@galley/wire';
import { createContext, type ReactNode, use, useState } from 'react';
import type { Fault } from '../../api/api-error.ts';
import { sayContentFault } from '../../content/say-fault.ts';
import type { FieldValues } from './field-values.ts';

export interface FormSurroundings {
  readonly site: string;
  /** All of the site's content types. */
  readonly types: readonly ManagedTypeBody[];
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
  /** The language of the content; omitted in form previews. */
  readonly language?: string | undefined;
  /** The field to show, which may be in a collapsed block. A new object with the same path shows the field again. */
  readonly target?: FieldTarget | undefined;
}

export interface FieldTarget {
  /** Such as `fields.body.blocks[0].fields.text`. */
  readonly path: string;
}

export const FormContext = createContext<FormSurroundings>({ site: '', types: [], faults: [], isReadOnly: true });

export function useForm(): FormSurroundings {
  return use(FormContext);
}

/**
 * The first error at a path or nested under it. Errors inside blocks are shown next to the inputs there.
 * @param label the label of the input
 */
export function useFault(path: string, label: string): string | undefined {
  const { faults, types } = useForm();
  const found = faults.find(
    (fault) => isWithin(fault.path, path) && !fault.path.slice(path.length).includes('.fields.'),
  );
  return found && sayContentFault(found, label, types);
}

export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}

/**
 * Calls a function once for each target at a path or nested under it. The function runs while the component is rendered, so it may only
 * change the component's own state. @returns whether the current target is there
 */
export function useTarget(path: string, show: () => void): boolean {
  const { target } = useForm();
  const [met, setMet] = useState<FieldTarget>();
  const isHere = target !== undefined && isWithin(target.path, path);
  if (isHere && target !== met) {
    setMet(target);
    show();
  }
  return isHere;
}

export interface FieldListProps {
  readonly fields: readonly ManagedFieldBody[];
  readonly path: string;
  readonly values: FieldValues;
  readonly onChange: (values: FieldValues) => void;
}

/** Renders a list of fields. Blocks receive this function from the context, because they contain fields and fields can contain blocks. */
type ShowFields = (props: FieldListProps) => ReactNode;

export const NestedFields = createContext<ShowFields | undefined>(undefined);

export function useNestedFields(): ShowFields {
  const showFields = use(NestedFields);
  if (showFields === undefined) throw new Error('useNestedFields works only inside a list of fields');
  return showFields;
}

export interface FieldInputProps {
  readonly field: ManagedFieldBody;
  /** The path of the value in the content, such as `fields.title`. The input shows the API's errors for this path. */
  readonly path: string;
  /** The value in the API's format, such as `{ text: 'Hello' }`. */
  readonly value: unknown;
  /** Called with undefined if the value was removed. */
  readonly onChange: (value: unknown) => void;
}

/** For short values. Labels and help texts still use the full width. */
export const SHORT_INPUT = { wrapper: { maxWidth: '20rem' } } as const;

/** Text direction depends on the script, not on the panel's language. Mantine does not pass its own `dir` on to the input. */
export const BY_SCRIPT = { input: { dir: 'auto' } } as const;

/** The props of a Mantine input for a field. */
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
