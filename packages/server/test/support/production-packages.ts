// The packages that `npm ci --omit=dev --workspace` installs for a package, according to the lockfile.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Returns the packages' folders under `root`, such as `node_modules/pg`. */
export function listProductionPackages(root: string, workspace: string): readonly string[] {
  const { packages }: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  const found = new Set<string>();
  const waiting = [workspace];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { dependencies, optionalDependencies } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = listPlaces(path, name).find((each) => packages[each] !== undefined);
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      waiting.push(place);
    }
  }
  return [...found];
}

/** The folders in which Node looks for a package, nearest first. */
function listPlaces(path: string, name: string): readonly string[] {
  const folders = path.split('/');
  return folders
    .map((_, index) => folders.slice(0, folders.length - index))
    .filter((parts) => parts.at(-1) !== 'node_modules')
    .map((parts) => `${parts.join('/')}/node_modules/${name}`)
    .concat(`node_modules/${name}`);
}
