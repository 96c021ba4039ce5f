// Which shortcuts work at the moment, for the list that tells of them.

export type ListedShortcut = readonly [keys: string, label: string];

let groups: readonly (readonly ListedShortcut[])[] = [];
const listeners = new Set<() => void>();

/** @returns takes them off the list again */
export function announceShortcuts(shortcuts: readonly ListedShortcut[]): () => void {
  change([...groups, shortcuts]);
  return () => change(groups.filter((group) => group !== shortcuts));
}

export function readShortcuts(): readonly (readonly ListedShortcut[])[] {
  return groups;
}

export function watchShortcuts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: readonly (readonly ListedShortcut[])[]): void {
  groups = next;
  for (const listener of listeners) listener();
}
