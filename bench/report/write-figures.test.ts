import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { listBlocks, renderBlock } from './figure-blocks.ts';
import { judgeReport } from './judge-report.ts';
import { REPORT_FOLDER, readReport } from './report-file.ts';
import { findFolder, PAGES } from './write-figures.ts';

test.each(PAGES.map((page) => [basename(page), page] as const))(
  '%s shows the figures of the reports that it names, and no others',
  (_, page) => {
    const blocks = listBlocks(readFileSync(page, 'utf8'));
    expect(blocks.length).toBeGreaterThan(0);
    for (const { kind, form, file, body } of blocks) {
      if (file === undefined) {
        expect(body.trim()).toBe('');
        continue;
      }
      const report = readReport(join(REPORT_FOLDER, file));
      expect(report.kind).toBe(kind);
      expect(body).toBe(renderBlock(form, report, findFolder(page)));
    }
  },
);

test.each(readdirSync(REPORT_FOLDER).filter((name) => name.endsWith('.json')))(
  '%s is judged by the bars of today (npm run bench:render)',
  (name) => {
    const report = readReport(join(REPORT_FOLDER, name));
    expect(judgeReport(report)).toEqual(report.verdicts);
  },
);
