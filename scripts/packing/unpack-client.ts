// The package as it lies in the project of somebody who has installed it.

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** @returns the folder of the package below `project` */
export async function unpackClient(tarball: string, project: string): Promise<string> {
  const folder = join(project, 'node_modules/@galley/client');
  await mkdir(folder, { recursive: true });
  await promisify(execFile)('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  return folder;
}
