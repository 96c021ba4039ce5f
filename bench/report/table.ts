// The table printed at the end of a run: what was measured, the figure, the baseline from the same run, the ratio, the target, and whether
// it is met.

import { formatBar, formatFigure, formatRatio, type Verdict } from './verdict.ts';

const HEAD = ['', 'figure', 'compared with', 'ratio', 'target', 'met'] as const;

/** @param isVerbose whether to add the ratio based on CPU time */
export function renderTable(verdicts: readonly Verdict[], isVerbose: boolean): string {
  const head = isVerbose ? [...HEAD, 'ratio by CPU'] : HEAD;
  const rows = verdicts.map((verdict) => renderCells(verdict, isVerbose));
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines: string[] = [renderLine(head, widths)];
  let section = '';
  for (const [index, verdict] of verdicts.entries()) {
    if (verdict.section !== section) lines.push('', verdict.section);
    section = verdict.section;
    lines.push(renderLine(rows[index] ?? [], widths));
  }
  return `${lines.join('\n')}\n`;
}

function renderCells(verdict: Verdict, isVerbose: boolean): readonly string[] {
  const { what, figure, unit, yardstick, ratio, cpuRatio, bar, holds } = verdict;
  const cells = [
    `  ${what}`,
    `${formatFigure(figure)} ${unit}`,
    yardstick === null ? '–' : `${formatFigure(yardstick)} ${unit}`,
    formatRatio(ratio),
    formatBar(bar),
    holds ? 'yes' : 'NO',
  ];
  return isVerbose ? [...cells, formatRatio(cpuRatio)] : cells;
}

/** Names are left-aligned, numbers right-aligned. */
function renderLine(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
    .join('   ')
    .trimEnd();
}
