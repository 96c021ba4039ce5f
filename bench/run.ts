// npm run bench: loads two sites, measures the delivery API against a bare server, prints a table and writes a file.
// It ends with 0 whether or not the bars hold: figures are read by people, they are no test.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { startBareServer } from './bare-process.ts';
import { buildGroups } from './cases.ts';
import { runGalley, startGalley } from './galley-process.ts';
import { chooseLoad } from './load/choose-load.ts';
import { type MeasuredGroup, measureGroup } from './measure-group.ts';
import { openSite, type Site } from './open-site.ts';
import { type BenchOptions, parseOptions, USAGE } from './options.ts';
import { readUsage } from './process-usage.ts';
import { recordAnswer } from './recorded-answer.ts';
import { describeMachine } from './report/machine.ts';
import { median } from './report/median.ts';
import { renderTable } from './report/table.ts';
import { judgeAgainstBare, judgeEvenness, judgePlainFigures } from './report/verdicts.ts';
import { Scratch } from './scratch.ts';

const STARTS = 3;
/** A server that gets less of a core than this was held up by something else than its own work. */
const LEAST_CORE_SHARE = 0.85;

interface Start {
  readonly seconds: number;
  readonly cpuSeconds: number | undefined;
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const scratch = new Scratch();
  try {
    await bench(options, scratch);
  } catch (error) {
    process.stderr.write(`${inspect(error)}\n`);
    process.exitCode = 1;
  } finally {
    scratch.close();
  }
}

function readOptions(): BenchOptions | undefined {
  try {
    const options = parseOptions(process.argv.slice(2));
    if (options !== 'help') return options;
    process.stdout.write(USAGE);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exitCode = 2;
  }
  return undefined;
}

async function bench(options: BenchOptions, scratch: Scratch): Promise<void> {
  const startedAt = new Date();
  const machine = describeMachine();
  const load = chooseLoad(scratch, options.connections, options.tool);
  const small = await openSite(scratch, options.sizes[0], options.keptIn, tell);
  const large = await openSite(scratch, options.sizes[1], options.keptIn, tell);
  tell('walking the lists to their ends');
  const groups = await buildGroups(small, large);
  const { rounds, seconds, warmUpSeconds } = options;
  const disturbances: string[] = [];
  const onDisturbed = (text: string): void => {
    disturbances.push(text);
    tell(text);
  };
  const method = { bare: startBareServer(scratch), load, rounds, seconds, warmUpSeconds, onDisturbed };
  const measured: MeasuredGroup[] = [];
  for (const group of groups) {
    tell(group.what);
    measured.push(await measureGroup(group, method));
  }
  const memory = readUsage(large.galley.pid);
  // In good order, so that a database that is kept is whole without its journal.
  for (const { galley } of [small, large]) await galley.stop();
  tell('starting');
  const starts = await measureStarts(scratch, large);
  const startSeconds = starts.map((start) => start.seconds);

  const importedPerSecond = large.imported && large.size / large.imported.seconds;
  const plain = { size: large.size, importedPerSecond, residentMb: memory?.peakResidentMb, startSeconds };
  const verdicts = [...judgeAgainstBare(measured), ...judgeEvenness(measured), ...judgePlainFigures(plain)];
  const coreShare = findCoreShare(measured);
  process.stdout.write(`\n${renderTable(verdicts, options.isVerbose)}`);
  process.stdout.write(`\n${describeNoise(coreShare)}`);

  const report = {
    date: startedAt.toISOString(),
    machine,
    versions: {
      galley: (await runGalley(scratch, large.database, ['--version'])).output.trim(),
      node: process.version,
      sqlite: process.versions.sqlite,
      load: load.tool,
    },
    method: {
      engine: 'embedded',
      objects: options.sizes,
      connections: options.connections,
      rounds: options.rounds,
      seconds: options.seconds,
      core_share: coreShare,
      disturbances,
    },
    verdicts,
    import: large.imported && {
      seconds: large.imported.seconds,
      cpu_seconds: large.imported.usage?.cpuSeconds,
      peak_resident_mb: large.imported.usage?.peakResidentMb,
    },
    memory_after_load: memory,
    starts,
    groups: measured,
  };
  const out = options.out ?? findDefaultFile(options, startedAt);
  if (out === undefined) return;
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);
  tell(`figures in ${out}`);
}

/** From the start of the process to the end of its first answer. */
async function measureStarts(scratch: Scratch, { database, reader }: Site): Promise<readonly Start[]> {
  const starts: Start[] = [];
  for (let count = 0; count < STARTS; count++) {
    const startedAt = performance.now();
    const galley = await startGalley(scratch, database);
    await recordAnswer({ ...reader, origin: galley.origin }, '/api/v1/content');
    const seconds = (performance.now() - startedAt) / 1000;
    starts.push({ seconds, cpuSeconds: readUsage(galley.pid)?.cpuSeconds });
    await galley.stop();
  }
  return starts;
}

/** How much of a core the servers got while they were measured. */
function findCoreShare(measured: readonly MeasuredGroup[]): number | undefined {
  const shares = measured.flatMap(({ yardstick, cases }) =>
    [...yardstick, ...cases.flatMap((each) => each.samples)].flatMap((sample) => sample.coreShare ?? []),
  );
  return shares.length === 0 ? undefined : median(shares);
}

function describeNoise(coreShare: number | undefined): string {
  if (coreShare === undefined) return 'CPU time cannot be read on this system, so noise cannot be told.\n';
  const share = `The servers had ${(coreShare * 100).toFixed(0)} % of a core while they were measured.`;
  if (coreShare >= LEAST_CORE_SHARE) return `${share}\n`;
  return `${share} The machine was busy with something else:\nread the ratios by CPU (--verbose), or run again when it is quiet.\n`;
}

/** A smoke run is not worth keeping. */
function findDefaultFile({ isQuick }: BenchOptions, date: Date): string | undefined {
  if (isQuick) return undefined;
  const folder = resolve(join(import.meta.dirname, '../docs/benchmarks'));
  return join(folder, `embedded-${date.toISOString().slice(0, 10)}.json`);
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

await main();
