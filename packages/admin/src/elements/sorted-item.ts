// The item of a sortable list that something stands in: what its grip and its menu know of it.

import { createContext, type HTMLAttributes, type RefCallback, use } from 'react';

interface SortedItem {
  /** Undefined for the first. */
  readonly moveUp: (() => void) | undefined;
  /** Undefined for the last. */
  readonly moveDown: (() => void) | undefined;
  readonly grip: Omit<HTMLAttributes<HTMLElement>, 'color' | 'style'> & {
    readonly ref: RefCallback<HTMLButtonElement>;
  };
}

export const SortedItemContext = createContext<SortedItem | undefined>(undefined);

export function useSortedItem(): SortedItem {
  const item = use(SortedItemContext);
  if (item === undefined) throw new Error('There is no sortable list around this.');
  return item;
}
