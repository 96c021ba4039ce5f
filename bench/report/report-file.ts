// The file that a run writes, with its verdicts, the machine, the versions, the date, and all measurements.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, release, totalmem, type, version } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Verdict } from './verdict.ts';

export const REPORT_FOLDER = resolve(import.meta.dirname, '../../docs/benchmarks');

export type ReportKind = 'embedded' | 'full' | 'postgres' | 'peers' | 'images';

export interface Report {
  readonly kind: ReportKind;
  /** In ISO 8601. */
  readonly date: string;
  readonly command: string;
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly verdicts: readonly Verdict[];
  /** The report's chart files, in the same folder. */
  readonly charts: readonly string[];
}

/** The machine used for the run. Figures are meaningless without it. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_mb: number;
  readonly os: string;
  readonly arch: string;
  /** The load average during the minute before the run, which shows how busy the machine was. */
  readonly load_before: number;
}

export interface NamedChart {
  readonly name: 'growth' | 'comparison';
  readonly svg: string | undefined;
}

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memory_mb: Math.round(totalmem() / 1024 / 1024),
    os: `${type()} ${release()} (${version()})`,
    arch: arch(),
    load_before: loadavg()[0] ?? 0,
  };
}

export function findReportFile(kind: ReportKind, date: Date): string {
  return join(REPORT_FOLDER, `${kind}-${date.toISOString().slice(0, 10)}.json`);
}

/** Writes the charts next to the report. @returns all files that were written */
export function writeReport<Content extends Omit<Report, 'charts'>>(
  path: string,
  report: Content,
  charts: readonly NamedChart[],
): readonly string[] {
  mkdirSync(dirname(path), { recursive: true });
  const drawn = charts.flatMap(({ name, svg }) =>
    svg === undefined ? [] : [{ file: `${basename(path, '.json')}-${name}.svg`, svg }],
  );
  for (const { file, svg } of drawn) writeFileSync(join(dirname(path), file), svg);
  const files = drawn.map(({ file }) => file);
  writeJson(path, { ...report, charts: files });
  return [path, ...files.map((file) => join(dirname(path), file))];
}

/** Replaces the verdicts of a report and keeps everything else. */
export function writeVerdicts(path: string, verdicts: readonly Verdict[]): void {
  writeJson(path, { ...readReport(path), verdicts });
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Reads a report written by a run. */
export function readReport(path: string): Report {
  return JSON.parse(readFileSync(path, 'utf8')) as Report;
}

export function describeOrigin({ date, machine, versions }: Pick<Report, 'date' | 'machine' | 'versions'>): string {
  const memory = `${Math.round(machine.memory_mb / 1024)} GB`;
  const tools = Object.entries(versions).flatMap(([name, version]) => (version ? `${name} ${version}` : []));
  return `${date.slice(0, 10)}, ${machine.cpu}, ${machine.cores} cores, ${memory}; ${tools.join(', ')}`;
}
