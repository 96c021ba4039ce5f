// Puts the tables of a report into the pages that show figures.

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { replaceBlocks } from './figure-blocks.ts';
import { REPORT_FOLDER, readReport } from './report-file.ts';

const ROOT = resolve(import.meta.dirname, '../..');
export const PAGES: readonly string[] = [resolve(ROOT, 'README.md'), resolve(ROOT, 'docs/performance.md')];

/** @param path of a report in the folder of reports */
export function writeFigures(path: string): void {
  const report = readReport(path);
  for (const page of PAGES) {
    const text = readFileSync(page, 'utf8');
    const written = replaceBlocks(text, report, basename(path), findFolder(page));
    if (written !== text) writeFileSync(page, written);
  }
}

/** The folder of reports, as seen from a page. */
export function findFolder(page: string): string {
  return relative(dirname(page), REPORT_FOLDER);
}
