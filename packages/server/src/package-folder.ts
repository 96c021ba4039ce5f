// This package's folder on disk, both in the sources and in a build. It contains the version and the demo.

import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGE_FILE = findPackageJSON(import.meta.url);

export function locateInPackage(path: string): string {
  if (PACKAGE_FILE === undefined) throw new Error('This package has no package.json');
  return join(dirname(PACKAGE_FILE), path);
}

export function readPackageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(locateInPackage('package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error('package.json has no version');
}
