// Checks what this process may do with a path.

import { accessSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** The nearest existing folder. */
export function findFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : findFolder(dirname(path));
}

/** @param mode such as `constants.R_OK` */
export function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
