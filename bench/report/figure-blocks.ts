// The tables in the pages, between markers, each made from the report that its marker names. A run with --write-docs
// replaces those of its kind; a test holds every block against its report.
//
//     <!-- figures: full summary full-2026-01-31.json -->
//     …
//     <!-- /figures -->

import { formatFigure, formatRatio } from './format-figures.ts';
import { describeOrigin, type Report, type ReportKind } from './report-file.ts';
import { formatBar, listTightest, type Verdict } from './verdict.ts';

export interface FigureBlock {
  readonly kind: ReportKind;
  readonly form: 'table' | 'summary';
  /** Undefined where no run has filled it yet. */
  readonly file: string | undefined;
  readonly body: string;
}

const BLOCK =
  /<!-- figures: (?<kind>embedded|full|postgres|peers) (?<form>table|summary)(?: (?<file>\S+\.json))? -->\n(?<body>.*?)<!-- \/figures -->/gs;

export function listBlocks(page: string): readonly FigureBlock[] {
  return [...page.matchAll(BLOCK)].map(({ groups }) => asBlock(groups ?? {}));
}

/** The groups of a match of BLOCK. */
function asBlock({ kind, form, file, body }: Readonly<Record<string, string | undefined>>): FigureBlock {
  return { kind: kind as ReportKind, form: form as FigureBlock['form'], file, body: body ?? '' };
}

/** @param folder of the reports, as seen from the page */
export function replaceBlocks(page: string, report: Report, file: string, folder: string): string {
  return page.replace(BLOCK, (whole, kind: string, form: string) => {
    if (kind !== report.kind) return whole;
    const body = renderBlock(form === 'table' ? 'table' : 'summary', report, folder);
    return `<!-- figures: ${kind} ${form} ${file} -->\n${body}<!-- /figures -->`;
  });
}

export function renderBlock(form: FigureBlock['form'], report: Report, folder: string): string {
  const { verdicts, charts, command } = report;
  const lines = form === 'summary' ? renderSummary(verdicts) : renderSections(verdicts);
  const images = charts.map((chart) => `![${nameChart(chart)}](${folder}/${chart})`);
  const origin = `\`${command}\`, ${describeOrigin(report)}.`;
  return `\n${lines.join('\n')}\n\n${[origin, ...images].map((paragraph) => `${paragraph}\n\n`).join('')}`;
}

/** Of each section and bar, the row that has the least to spare. */
function renderSummary(verdicts: readonly Verdict[]): readonly string[] {
  return [
    '| what | where it is tightest | measured | bar | holds |',
    '|---|---|---:|---:|---|',
    ...listTightest(verdicts).map(({ section, what, figure, unit, ratio, bar, holds }) => {
      const measured = ratio === null ? `${formatFigure(figure)} ${unit}` : formatRatio(ratio);
      return renderRow([section, what, measured, formatBar(bar)], holds);
    }),
  ];
}

function renderSections(verdicts: readonly Verdict[]): readonly string[] {
  return [
    '| what | figure | yardstick | ratio | bar | holds |',
    '|---|---:|---:|---:|---:|---|',
    ...[...Map.groupBy(verdicts, ({ section }) => section)].flatMap(([section, inside]) => [
      `| **${section}** | | | | | |`,
      ...inside.map(({ what, figure, unit, yardstick, ratio, bar, holds }) => {
        const beside = yardstick === null ? '–' : `${formatFigure(yardstick)} ${unit}`;
        return renderRow([what, `${formatFigure(figure)} ${unit}`, beside, formatRatio(ratio), formatBar(bar)], holds);
      }),
    ]),
  ];
}

function renderRow(cells: readonly string[], holds: boolean): string {
  return `| ${[...cells, holds ? 'yes' : '**no**'].join(' | ')} |`;
}

function nameChart(file: string): string {
  return file.includes('growth') ? 'How lists hold with the size of a site' : 'Requests a second, side by side';
}
