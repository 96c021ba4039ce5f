// Fields hold blocks, and blocks hold fields: whoever shows a list of fields hands itself down to the blocks in it.

import type { ManagedFieldBody } from '@galley/wire';
import { createContext, type ReactNode, use } from 'react';
import type { FieldValues } from './field-values.ts';

export interface FieldListProps {
  readonly fields: readonly ManagedFieldBody[];
  readonly path: string;
  readonly values: FieldValues;
  readonly onChange: (values: FieldValues) => void;
}

type ShowFields = (props: FieldListProps) => ReactNode;

export const NestedFields = createContext<ShowFields | undefined>(undefined);

export function useNestedFields(): ShowFields {
  const showFields = use(NestedFields);
  if (showFields === undefined) throw new Error('A block stands in a list of fields');
  return showFields;
}
