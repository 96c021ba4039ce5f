// npm run bench:render: evaluates the recorded reports again with the current targets, and writes the tables to the docs. It measures
// nothing. The docs show the newest report of each kind.

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
