// The installed packages, for a copy of the sources that is built or packed elsewhere.

import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const INSTALLED = join(import.meta.dirname, '../../node_modules');

/** Links those installed here, except that the workspaces are the ones of the copy. @param copy holds the folder `packages` */
export function linkPackages(copy: string): void {
  const target = join(copy, 'node_modules');
  mkdirSync(join(target, '@galley'), { recursive: true });
  for (const name of readdirSync(INSTALLED)) {
    if (name !== '@galley') symlinkSync(join(INSTALLED, name), join(target, name));
  }
  for (const name of readdirSync(join(copy, 'packages'))) {
    symlinkSync(join(copy, 'packages', name), join(target, '@galley', name));
  }
}
