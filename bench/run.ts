// npm run bench: loads two sites, compares the service with a bare server, prints a table and writes a file. The exit status is 0
// whether or not the targets are met, because the figures are meant for people and are not a test.

import { readPostgresVersion } from '../scripts/testing/postgres-server.ts';
import { runBenchmark, tell } from './benchmark-command.ts';
import { runGalley } from './galley-process.ts';
import { chooseLoad } from './load/choose-load.ts';
import { measureAll } from './measure-all.ts';
import { type BenchOptions, parseOptions, USAGE } from './options.ts';
import { describeNoise, findCoreShare } from './report/core-share.ts';
import { writeFigures } from './report/figure-blocks.ts';
import { judgeRun } from './report/judge-report.ts';
import { renderComparisonChart, renderGrowthChart } from './report/load-charts.ts';
import { describeMachine, describeOrigin, findReportFile, writeReport } from './report/report-file.ts';
import { renderTable } from './report/table.ts';
import type { Scratch } from './scratch.ts';

async function bench(options: BenchOptions, scratch: Scratch): Promise<void> {
  const startedAt = new Date();
  const machine = describeMachine();
  const load = chooseLoad(scratch, options.connections, options.tool);
  const measured = await measureAll(scratch, load, options, tell);
  const { groups, latencies, pages, publishes, starts, memory, imported, disturbances } = measured;
  const coreShare = findCoreShare(groups);
  const figures = {
    method: {
      engine: options.engine,
      objects: options.sizes,
      connections: options.connections,
      rounds: options.rounds,
      seconds: options.seconds,
      brief_seconds: options.briefSeconds,
      core_share: coreShare,
      disturbances,
    },
    import: imported && {
      seconds: imported.seconds,
      cpu_seconds: imported.usage?.cpuSeconds,
      peak_resident_mb: imported.usage?.peakResidentMb,
    },
    memory_after_load: memory,
    starts,
    latencies,
    simple_pages: pages,
    filtered_lists: measured.filteredLists,
    filtered_counts: measured.filteredCounts,
    publishes,
    renderings: measured.renderings,
    changes: measured.changes,
    groups,
  };
  const verdicts = judgeRun(figures);
  process.stdout.write(`\n${renderTable(verdicts, options.isVerbose)}`);
  if (groups.length > 0) process.stdout.write(`\n${describeNoise(coreShare)}`);

  const kind = findKind(options);
  // A smoke test is not worth recording, and the report of a partial run would look complete.
  const out = options.out ?? (options.isQuick || options.isPartial ? undefined : findReportFile(kind, startedAt));
  if (out === undefined) return;
  const origin = {
    kind,
    date: startedAt.toISOString(),
    command: COMMANDS[kind],
    machine,
    versions: {
      Galley: (await runGalley(scratch, 'sqlite:none.db', ['--version'])).output.trim(),
      'Node.js': process.version,
      ...(kind === 'postgres' ? { PostgreSQL: readPostgresVersion() } : { SQLite: process.versions.sqlite }),
      'load by': load.tool,
    },
  } as const;
  const subtitle = describeOrigin(origin);
  const files = writeReport(out, { ...origin, verdicts, ...figures }, [
    { name: 'comparison', svg: renderComparisonChart(groups, subtitle) },
    { name: 'growth', svg: renderGrowthChart(groups, subtitle) },
  ]);
  tell(`results are in ${files.join(', ')}`);
  if (options.writesDocs) writeFigures(out);
}

const COMMANDS = { embedded: 'npm run bench', full: 'npm run bench:full', postgres: 'npm run bench:postgres' } as const;

function findKind({ engine, isFull }: BenchOptions): keyof typeof COMMANDS {
  if (engine === 'postgres') return 'postgres';
  return isFull ? 'full' : 'embedded';
}

await runBenchmark({ usage: USAGE, parse: parseOptions, run: bench });
