// The package on disk: its version and its templates lie at the same place beside the sources and beside a build.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function locateInPackage(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(locateInPackage('package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error('package.json has no version');
}
