import { expect, test } from 'vitest';
import { joinPaths, listAncestors, listPaths, listSubfolders, nameFolder, parentOf } from './folder-paths.ts';

const FOLDERS = [
  { path: '', count: 4 },
  { path: 'press/2026/march', count: 3 },
  { path: 'press', count: 1 },
  { path: 'press/10', count: 2 },
  { path: 'press/9', count: 0 },
  { path: 'pressed', count: 5 },
];

test('lists the direct subfolders of a folder, with asset counts that include deeper levels', () => {
  expect(listSubfolders(FOLDERS, '')).toEqual([
    { path: 'press', count: 6 },
    { path: 'pressed', count: 5 },
  ]);
  expect(listSubfolders(FOLDERS, 'press')).toEqual([
    { path: 'press/9', count: 0 },
    { path: 'press/10', count: 2 },
    { path: 'press/2026', count: 3 },
  ]);
  expect(listSubfolders(FOLDERS, 'press/9')).toEqual([]);
});

test('lists every folder once, including folders that contain only subfolders', () => {
  expect(listPaths(FOLDERS)).toEqual(['press', 'press/9', 'press/10', 'press/2026', 'press/2026/march', 'pressed']);
});

test('splits and joins paths', () => {
  expect(listAncestors('press/2026')).toEqual(['press', 'press/2026']);
  expect(listAncestors('')).toEqual([]);
  expect([nameFolder('press/2026'), parentOf('press/2026'), parentOf('press')]).toEqual(['2026', 'press', '']);
  expect(joinPaths('', ' press / 2026 /', 'march')).toBe('press/2026/march');
});

test('composes the accents in new paths, and finds the subfolders of an old folder whose name has decomposed accents', () => {
  expect(joinPaths('cafe\u0301', 'menu\u0301')).toBe('caf\u00e9/men\u00fa');
  const old = [{ path: 'cafe\u0301/menu', count: 2 }];
  for (const parent of ['cafe\u0301', 'caf\u00e9']) expect(listSubfolders(old, parent)).toEqual(old);
});
