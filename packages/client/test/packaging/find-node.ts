// Finds the oldest supported Node.js on this machine for testing the client.

import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join, sep } from 'node:path';

export interface NodeProgram {
  readonly path: string;
  readonly version: string;
}

/** Returns a Node.js executable (version 20 or later) that was not installed by npm, if there is one; otherwise the current one. */
export function findOldestNode(): NodeProgram {
  const installed = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes(`node_modules${sep}`))
    .flatMap((folder) => readProgram(join(folder, 'node')));
  const candidates = [...installed, { path: process.execPath, version: process.versions.node }];
  const able = candidates.filter(({ version }) => readMajor(version) >= 20);
  const [oldest] = able.toSorted((one, other) => readMajor(one.version) - readMajor(other.version));
  if (oldest === undefined) throw new Error('This test is running on a Node.js version that is too old');
  return oldest;
}

function readProgram(path: string): readonly NodeProgram[] {
  try {
    accessSync(path, constants.X_OK);
    const version = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
    return [{ path, version }];
  } catch {
    return [];
  }
}

function readMajor(version: string): number {
  return Number(version.split('.')[0]);
}
