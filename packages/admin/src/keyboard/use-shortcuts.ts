// Keyboard shortcuts of the page that is open. Each has a label, by which the list of all shortcuts (`?`) tells of it. While a
// dialog is open the keys are the dialog's, and shortcuts of one key work only where they are switched on.

import { useHotkeys } from '@mantine/hooks';
import { useEffect, useSyncExternalStore } from 'react';
import { areOneKeyShortcutsOn, isOneKey, watchOneKeyShortcuts } from './one-key-shortcuts.ts';
import { announceShortcuts } from './shortcut-list.ts';

export interface Shortcut {
  /** As `mod+S` or `N`; `mod` is Command on a Mac and Control elsewhere. */
  readonly keys: string;
  /** Left out where the list tells of the key otherwise. */
  readonly label?: string;
  readonly run: () => void;
  /** Also while somebody types into a field; for shortcuts with a modifier. */
  readonly isForFields?: boolean;
}

export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const hasOneKey = useSyncExternalStore(watchOneKeyShortcuts, areOneKeyShortcutsOn);
  const usable = shortcuts.filter(({ keys }) => hasOneKey || !isOneKey(keys));
  useHotkeys(listHotkeys(usable.filter(({ isForFields }) => isForFields === true)), [], true);
  useHotkeys(listHotkeys(usable.filter(({ isForFields }) => isForFields !== true)));
  const list = JSON.stringify(usable.flatMap(({ keys, label }) => (label === undefined ? [] : [[keys, label]])));
  useEffect(() => announceShortcuts(JSON.parse(list)), [list]);
}

function listHotkeys(
  shortcuts: readonly Shortcut[],
): [string, (event: KeyboardEvent) => void, { preventDefault: false }][] {
  return shortcuts.map(({ keys, run }) => [
    keys,
    (event) => {
      if (document.querySelector('[aria-modal="true"]') !== null) return;
      event.preventDefault();
      run();
    },
    { preventDefault: false },
  ]);
}
