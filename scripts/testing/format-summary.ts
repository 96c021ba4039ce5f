// The last lines of a test run. Everything that makes the run fail counts as a failure, including a file that cannot be loaded and an
// error outside the tests. The time budget informs; it never fails a run.

export interface FileSummary {
  readonly path: string;
  readonly project: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly isOk: boolean;
}

/** The run as a whole. */
export interface Run {
  /** The npm script that started it, if any. */
  readonly script: string | undefined;
  readonly seconds: number;
}

interface Budget {
  readonly script: string;
  /** On two idle cores. */
  readonly seconds: number;
  /** A change may add this many seconds, or it moves something to `npm run proof`. */
  readonly change: number;
}

const BUDGETS: readonly Budget[] = [
  // The static checks take the other half minute of three.
  { script: 'test', seconds: 150, change: 10 },
  { script: 'test:full', seconds: 900, change: 60 },
];

const SLOWEST = 10;

export function formatSummary(files: readonly FileSummary[], unhandledErrors: number, run: Run): readonly string[] {
  return [...formatSlowestFiles(files), ...formatBudget(run), formatClosingLine(files, unhandledErrors)];
}

function formatSlowestFiles(files: readonly FileSummary[]): readonly string[] {
  if (files.length <= SLOWEST) return [];
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  const rows = slowest.map(({ seconds, path, project }) => `${seconds.toFixed(1).padStart(7)} s  ${path} (${project})`);
  return ['The ten slowest test files:', ...rows, ''];
}

function formatBudget({ script, seconds }: Run): readonly string[] {
  const budget = BUDGETS.find((each) => each.script === script);
  if (budget === undefined) return [];
  const left = Math.round(budget.seconds - seconds);
  const state = left < 0 ? `${-left} s over the budget` : `${left} s of the budget left`;
  const rule = `${budget.seconds} s on two idle cores; a change may add ${budget.change} s`;
  return [`The tests took ${Math.round(seconds)} s, ${state} (${rule}).`, ''];
}

function formatClosingLine(files: readonly FileSummary[], unhandledErrors: number): string {
  const passed = files.reduce((sum, file) => sum + file.passed, 0);
  const failed = files.reduce((sum, file) => sum + (file.failed === 0 && !file.isOk ? 1 : file.failed), 0);
  return `${passed} passed, ${failed + unhandledErrors} failed`;
}
