// A row of the table: what was measured, what it is compared with, and whether the target is met. Figures have the same format in the
// printed table and in the docs.

export interface Bar {
  readonly relation: '≥' | '≤' | '<';
  readonly value: number;
}

export interface Verdict {
  readonly section: string;
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  /** The baseline, measured in the same run and in the same unit; null if the target is an absolute figure. */
  readonly yardstick: number | null;
  /** The figure as a multiple of the baseline, or how many times slower it is, depending on the section. */
  readonly ratio: number | null;
  /** The same ratio, calculated from CPU time per request instead of requests per second; null if the CPU time is unknown. */
  readonly cpuRatio: number | null;
  /** The target for the ratio, or for the figure if there is no ratio. */
  readonly bar: Bar;
  readonly holds: boolean;
}

export interface Measurement {
  readonly section: string;
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  readonly yardstick?: number;
  readonly ratio?: number;
  readonly cpuRatio?: number | null;
  readonly bar: Bar;
}

export function judge(measurement: Measurement): Verdict {
  const { section, what, figure, unit, bar, yardstick = null, ratio = null, cpuRatio = null } = measurement;
  const judged = ratio ?? figure;
  const holds = bar.relation === '<' ? judged < bar.value : findMargin(bar, judged) >= 1;
  return { section, what, figure, unit, yardstick, ratio, cpuRatio, bar, holds };
}

/** The target is met if this is at least 1. A larger value means a larger margin. */
function findMargin({ relation, value }: Bar, judged: number): number {
  return relation === '≥' ? judged / value : value / judged;
}

/** The tightest result for each section and target, in table order. */
export function listTightest(verdicts: readonly Verdict[]): readonly Verdict[] {
  const tightest = new Map<string, Verdict>();
  for (const verdict of verdicts) {
    const key = `${verdict.section}\n${formatBar(verdict.bar)}`;
    const known = tightest.get(key);
    if (known === undefined || readMargin(verdict) < readMargin(known)) tightest.set(key, verdict);
  }
  return [...tightest.values()];
}

function readMargin({ bar, ratio, figure }: Verdict): number {
  return findMargin(bar, ratio ?? figure);
}

export function formatBar({ relation, value }: Bar): string {
  return `${relation} ${value.toLocaleString('en')}`;
}

export function formatFigure(figure: number): string {
  return figure.toLocaleString('en', { maximumFractionDigits: figure < 10 ? 2 : 0 });
}

export function formatRatio(ratio: number | null): string {
  if (ratio === null) return '–';
  return ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0);
}
