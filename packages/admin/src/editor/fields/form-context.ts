// What every input of a form needs to know, however deep in blocks it stands.

import type { ManagedTypeBody } from '@galley/wire';
import { createContext, use } from 'react';
import type { Fault } from '../../api/api-error.ts';
import { sayFault } from '../../texts/fault-texts.ts';

export interface FormSurroundings {
  readonly site: string;
  /** All content types of the site. */
  readonly types: readonly ManagedTypeBody[];
  readonly faults: readonly Fault[];
  readonly isReadOnly: boolean;
  /** Of the texts that are written; left out where nobody reads them. */
  readonly language?: string | undefined;
}

export const FormContext = createContext<FormSurroundings>({ site: '', types: [], faults: [], isReadOnly: true });

export function useForm(): FormSurroundings {
  return use(FormContext);
}

/**
 * What is wrong at a place or within it; faults inside of blocks belong to the inputs there.
 * @param label what the input there is called
 */
export function useFault(path: string, label: string): string | undefined {
  const { faults } = useForm();
  const found = faults.find(
    (fault) => isWithin(fault.path, path) && !fault.path.slice(path.length).includes('.fields.'),
  );
  return found && sayFault(found, label);
}

export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}
