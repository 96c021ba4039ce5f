// Fails if an import is not allowed by the table in boundaries/boundary-rules.ts.

import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { EXCEPTIONS } from './boundaries/boundary-rules.ts';
import { findViolations } from './boundaries/find-violations.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = ['packages/*/src/**/*.{ts,tsx}', 'bench/**/*.ts'];

const paths = globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**', '**/data/**'] });
const tree = new Map(
  paths.toSorted().map((path) => [path.split(sep).join('/'), readFileSync(join(ROOT, path), 'utf8')]),
);
const violations = findViolations(tree, EXCEPTIONS);
for (const violation of violations) console.error(violation);
console.log(`boundaries: ${tree.size} files, ${violations.length} violations, ${EXCEPTIONS.length} exceptions`);
if (violations.length > 0) process.exitCode = 1;
