// Keyboard navigation in the list: one row is active and has the focus.

import type { Virtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';

interface RowKeysOptions {
  readonly bodyRef: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly active: number;
  readonly setActive: (index: number) => void;
  readonly rows: Pick<Virtualizer<Window, Element>, 'scrollToIndex'>;
  readonly onToggle: (index: number, isRange: boolean) => void;
}

export interface RowKeys {
  /** Moves by this many rows, or to the active row if the focus is outside the list. */
  readonly move: (by: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export function useRowKeys({ bodyRef, count, active, setActive, rows, onToggle }: RowKeysOptions): RowKeys {
  const wanted = useRef<number>(undefined);

  const focusWanted = (): void => {
    if (wanted.current === undefined) return;
    const link = bodyRef.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] [data-row-link]`);
    if (link == null) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  };
  // The row may not exist until the list has scrolled, so this runs after every render until the row exists.
  useEffect(focusWanted);

  const goTo = (index: number): void => {
    if (count === 0) return;
    const next = Math.max(0, Math.min(count - 1, index));
    wanted.current = next;
    setActive(next);
    rows.scrollToIndex(next, { align: 'auto' });
    focusWanted();
  };
  const move = (by: number): void => {
    const isInside = bodyRef.current?.contains(document.activeElement) === true;
    goTo(isInside ? active + by : active);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Home: () => goTo(0),
      End: () => goTo(count - 1),
      j: () => move(1),
      k: () => move(-1),
      x: () => onToggle(active, false),
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const step = event.ctrlKey || event.metaKey || event.altKey ? undefined : steps[key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  };
  return { move, onKeyDown };
}
