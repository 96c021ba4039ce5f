// npm run bench:render: judges the recorded reports again by the bars of today, and writes the tables into the pages.
// Nothing is measured. The newest report of each kind is the one that the pages show.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeFigures } from './report/figure-blocks.ts';
import { judgeReport } from './report/judge-report.ts';
import { REPORT_FOLDER, readReport, writeVerdicts } from './report/report-file.ts';

const reports = readdirSync(REPORT_FOLDER).filter((name) => name.endsWith('.json'));
for (const name of reports.toSorted()) {
  const path = join(REPORT_FOLDER, name);
  writeVerdicts(path, judgeReport(readReport(path)));
  writeFigures(path);
}
