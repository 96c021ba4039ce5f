// Checks the imports in the source tree against the boundary table. Unit tests and fixtures may import anything; shipped code must not
// import them.

import { posix } from 'node:path';
import { BOUNDARY_RULES, MODULE_PATHS, OWNED_PACKAGES, PANEL_PAGE, WORKSPACE_MODULES } from './boundary-rules.ts';
import { findImports, type Import } from './find-imports.ts';

/** The text of each file by its path relative to the root, with forward slashes. */
export type SourceTree = ReadonlyMap<string, string>;

const TEST_PATH = /\.(test|fixture)\.tsx?$|^packages\/[^/]+\/test\//;

/** The top-level folder of the server or the panel that contains the file; for a file beside these folders, the file itself. */
const TOP_FOLDER = /^packages\/(server|admin)\/src\/[^/]+/;

export function findViolations(tree: SourceTree, exceptions: readonly string[]): readonly string[] {
  const violations: string[] = [];
  const unused = new Set(exceptions);
  const graph = new Map<string, readonly string[]>();
  for (const [path, text] of tree) {
    if (TEST_PATH.test(path)) continue;
    const importedPaths: string[] = [];
    for (const each of findImports(path, text)) {
      const target = findTarget(path, each);
      if (tree.has(target)) importedPaths.push(target);
      const reason = findReason(path, target, each);
      if (reason === undefined) continue;
      const edge = `${path} -> ${target}`;
      unused.delete(edge);
      if (!exceptions.includes(edge)) violations.push(`${path}:${each.line} imports ${target}: ${reason}`);
    }
    // The types of JSON bodies refer to each other, but none of them exists at run time.
    if (findModule(path) !== 'wire') graph.set(path, importedPaths);
  }
  for (const cycle of findCycles(graph)) violations.push(`circular import: ${cycle.join(' -> ')}`);
  for (const cycle of findCycles(joinByFolder(graph))) violations.push(`circular folders: ${cycle.join(' -> ')}`);
  for (const edge of unused) violations.push(`the exception "${edge}" is no longer needed; remove it`);
  return violations;
}

function findTarget(path: string, { specifier }: Import): string {
  if (specifier === null) return 'a computed path';
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

/** The reason why the import is forbidden; undefined if it is allowed. */
function findReason(path: string, target: string, { specifier, isTypeOnly }: Import): string | undefined {
  const from = findModule(path);
  const rule = from === undefined ? undefined : BOUNDARY_RULES[from];
  if (from === undefined || rule === undefined) return `${path} does not belong to any module in the table`;
  if (specifier === null) return 'a computed import cannot be checked';
  if (TEST_PATH.test(target)) return 'it is part of the tests';
  const workspace = Object.hasOwn(WORKSPACE_MODULES, specifier) ? WORKSPACE_MODULES[specifier] : undefined;
  if (workspace === undefined && !specifier.startsWith('.')) return findPackageReason(from, rule.packages, specifier);
  if (workspace?.isTypesOnly && !isTypeOnly) return 'it contains only types; use `import type`';
  const to = workspace?.module ?? findModule(target);
  if (to === undefined) return `${target} does not belong to any module in the table`;
  if (to === from) return undefined;
  if (PANEL_PAGE.path.test(target) && from !== PANEL_PAGE.importer) return 'link to pages by their path';
  return rule.modules.includes(to) ? undefined : `${from} must not import ${to}`;
}

function findPackageReason(from: string, allowed: readonly string[] | 'any', specifier: string): string | undefined {
  const name = findPackageName(specifier);
  const owners = Object.hasOwn(OWNED_PACKAGES, name) ? OWNED_PACKAGES[name] : undefined;
  if (owners !== undefined && !owners.includes(from)) return `only ${owners.join(' and ')} may import ${name}`;
  return allowed === 'any' || allowed.includes(name) ? undefined : `${from} must not import the package ${name}`;
}

/** `node:fs/promises` belongs to `node:fs`, `@fastify/cors/types` to `@fastify/cors`. */
function findPackageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function findModule(path: string): string | undefined {
  return MODULE_PATHS.find(([place]) => path === place || path.startsWith(`${place}/`))?.[1];
}

/** Which top-level folders of the server and the panel import which others. */
function joinByFolder(graph: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>();
  for (const [path, targets] of graph) {
    const from = TOP_FOLDER.exec(path)?.[0];
    if (from === undefined) continue;
    const others = targets.flatMap((target) => TOP_FOLDER.exec(target)?.[0] ?? []).filter((to) => to !== from);
    folders.set(from, [...new Set([...(folders.get(from) ?? []), ...others])]);
  }
  return folders;
}

/** Cycles, each listed once, starting with the path that sorts first. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const finished = new Set<string>();
  const cycles = new Map<string, readonly string[]>();

  function visit(path: string, trail: readonly string[]): void {
    const start = trail.indexOf(path);
    if (start !== -1) {
      const cycle = closeCycle(trail.slice(start));
      cycles.set(cycle.join(' '), cycle);
    }
    if (start !== -1 || finished.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    finished.add(path);
  }

  for (const path of graph.keys()) visit(path, []);
  return [...cycles.values()];
}

function closeCycle(paths: readonly string[]): readonly string[] {
  const [first = ''] = paths.toSorted();
  const start = paths.indexOf(first);
  return [...paths.slice(start), ...paths.slice(0, start), first];
}
