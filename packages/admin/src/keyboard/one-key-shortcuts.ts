// Shortcuts of one key, like `N`, can be switched off: whoever dictates, or hits keys by accident, would set them off. The choice is
// kept in this browser.

const STORAGE_KEY = 'galley-one-key-shortcuts';
const listeners = new Set<() => void>();

/** Those with Control, Alt or Command are not among them, nor keys that write nothing. */
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
    // A browser that keeps nothing goes on as it was.
  }
  for (const listener of listeners) listener();
}

export function watchOneKeyShortcuts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
