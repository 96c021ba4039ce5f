// The diagrams in docs/architecture.md show which folders of the server and the panel import which others. An arrow is left out if its
// target can also be reached through other arrows.

import { globSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { expect, test } from 'vitest';
import { findImports } from './find-imports.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function readFolders(source: string): Graph {
  const folders = new Map<string, Set<string>>();
  for (const found of globSync('**/*.{ts,tsx}', { cwd: join(ROOT, source) })) {
    const path = found.split(sep).join('/');
    const folder = findFolder(path);
    if (folder === undefined || /\.(test|fixture)\./.test(path)) continue;
    const targets = folders.get(folder) ?? new Set();
    for (const { specifier } of findImports(path, readFileSync(join(ROOT, source, path), 'utf8'))) {
      const target = specifier?.startsWith('.') ? findFolder(posix.join(posix.dirname(path), specifier)) : undefined;
      if (target !== undefined && target !== folder) targets.add(target);
    }
    folders.set(folder, targets);
  }
  return folders;
}

function findFolder(path: string): string | undefined {
  const [folder, ...rest] = path.split('/');
  return rest.length === 0 || folder === '..' ? undefined : folder;
}

/** Leaves out each arrow whose target can also be reached through other arrows. */
function reduceArrows(graph: Graph): readonly string[] {
  const reaches = (from: string, to: string): boolean =>
    [...(graph.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return [...graph]
    .flatMap(([from, targets]) =>
      [...targets]
        .filter((to) => ![...targets].some((other) => other !== to && reaches(other, to)))
        .map((to) => `${from} --> ${to}`),
    )
    .toSorted();
}

function readArrows(drawing: string): readonly string[] {
  return [...drawing.matchAll(/^ *([\w-]+) --> (.+)$/gm)]
    .flatMap(([, from, targets = '']) => targets.split(' & ').map((to) => `${from} --> ${to}`))
    .toSorted();
}

test.each([
  ['server', 0],
  ['admin', 1],
])('the diagram on the page matches the folders in packages/%s', (name, index) => {
  const drawing = [...PAGE.matchAll(/```mermaid\n(.*?)```/gs)][index]?.[1] ?? '';
  expect(readArrows(drawing)).toEqual(reduceArrows(readFolders(`packages/${name}/src`)));
});
