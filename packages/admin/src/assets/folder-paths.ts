// Folders are paths such as `press/2026`. The top level is the empty path.

import type { AssetFolderBody } from '@galley/wire';

/** The folders directly in a folder, each with the number of assets in it and in its subfolders. */
export function listSubfolders(folders: readonly AssetFolderBody[], parent: string): readonly AssetFolderBody[] {
  // Converts accented letters to their composed form before the comparison, because old folders and URLs may contain decomposed ones.
  const parents = splitPath(parent).map(compose);
  const counts = new Map<string, number>();
  for (const { path, count } of folders) {
    const names = splitPath(path);
    if (names.length <= parents.length || parents.some((name, level) => name !== compose(names[level] ?? ''))) continue;
    const child = names.slice(0, parents.length + 1).join('/');
    counts.set(child, (counts.get(child) ?? 0) + count);
  }
  return [...counts]
    .map(([path, count]) => ({ path, count }))
    .toSorted((one, other) => one.path.localeCompare(other.path, 'en', { numeric: true }));
}

/** All folders, including those that exist only because they have subfolders. */
export function listPaths(folders: readonly AssetFolderBody[]): readonly string[] {
  const paths = folders.flatMap(({ path }) => listAncestors(path));
  return [...new Set(paths)].toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

/** The folder and the folders that contain it, outermost first. */
export function listAncestors(path: string): readonly string[] {
  const names = splitPath(path);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

export function nameFolder(path: string): string {
  return splitPath(path).at(-1) ?? '';
}

export function parentOf(path: string): string {
  return splitPath(path).slice(0, -1).join('/');
}

/** Converts accented letters to their composed form, as the API does for new folders. */
export function joinPaths(...paths: readonly string[]): string {
  return compose(paths.flatMap(splitPath).join('/'));
}

function compose(text: string): string {
  return text.normalize('NFC');
}

function splitPath(path: string): readonly string[] {
  return path
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
