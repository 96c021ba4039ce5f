// The keyboard shortcuts for the open page, the list of shortcuts that `?` opens, and the setting for single-key shortcuts. No shortcut
// works while a dialog is open.

import { useHotkeys } from '@mantine/hooks';
import { useEffect, useSyncExternalStore } from 'react';

export interface Shortcut {
  /** For example `mod+S` or `N`; `mod` is Command on a Mac and Control elsewhere. */
  readonly keys: string;
  /** Omitted if the list describes the key elsewhere. */
  readonly label?: string;
  readonly run: () => void;
  /** Whether the shortcut also works in input fields. Only for shortcuts with a modifier key. */
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

export type ListedShortcut = readonly [keys: string, label: string];

let groups: readonly (readonly ListedShortcut[])[] = [];
const listListeners = new Set<() => void>();

/** Adds shortcuts to the list. @returns a function that removes them */
export function announceShortcuts(shortcuts: readonly ListedShortcut[]): () => void {
  changeList([...groups, shortcuts]);
  return () => changeList(groups.filter((group) => group !== shortcuts));
}

export function readShortcuts(): readonly (readonly ListedShortcut[])[] {
  return groups;
}

export function watchShortcuts(listener: () => void): () => void {
  listListeners.add(listener);
  return () => listListeners.delete(listener);
}

function changeList(next: readonly (readonly ListedShortcut[])[]): void {
  groups = next;
  for (const listener of listListeners) listener();
}

const STORAGE_KEY = 'galley-one-key-shortcuts';
const settingListeners = new Set<() => void>();

/** Single-key shortcuts such as `N` can be turned off, because dictation or accidental key presses can trigger them. */
export function isOneKey(keys: string): boolean {
  return /^(shift\+)?.$/i.test(keys);
}

export function areOneKeyShortcutsOn(): boolean {
  try {
    return window.localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}

export function switchOneKeyShortcuts(isOn: boolean): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, isOn ? 'on' : 'off');
  } catch {
    // If the browser cannot store the setting, the default applies.
  }
  for (const listener of settingListeners) listener();
}

export function watchOneKeyShortcuts(listener: () => void): () => void {
  settingListeners.add(listener);
  return () => settingListeners.delete(listener);
}
