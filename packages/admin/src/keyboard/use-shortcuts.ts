// Keyboard shortcuts of the page that is open. Each has a label, by which the list of all shortcuts (`?`) tells of it.

import { useHotkeys } from '@mantine/hooks';
import { useEffect } from 'react';
import { announceShortcuts } from './shortcut-list.ts';

export interface Shortcut {
  /** As `mod+S` or `N`; `mod` is Command on a Mac and Control elsewhere. */
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
  /** Also while somebody types into a field; for shortcuts with a modifier. */
  readonly isForFields?: boolean;
}

export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const inFields = shortcuts.filter(({ isForFields }) => isForFields === true);
  const others = shortcuts.filter(({ isForFields }) => isForFields !== true);
  useHotkeys(
    inFields.map(({ keys, run }) => [keys, run]),
    [],
    true,
  );
  useHotkeys(others.map(({ keys, run }) => [keys, run]));
  const list = JSON.stringify(shortcuts.map(({ keys, label }) => [keys, label]));
  useEffect(() => announceShortcuts(JSON.parse(list)), [list]);
}
