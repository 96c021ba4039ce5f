// Renders the tables between markers in the docs, each from the report named in its marker. A run with --write-docs
// replaces the blocks of its kind; a test compares every block with its report.
//
//     <!-- figures: full summary full-2026-01-31.json -->
//     …
//     <!-- /figures -->
//
// A `table` has all rows, a `summary` the tightest result in each category, and `highlights` three figures for newcomers.

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { PLAIN_FIGURES } from './judge-figures.ts';
import { AGAINST_BARE } from './judge-load.ts';
import { describeOrigin, REPORT_FOLDER, type Report, type ReportKind, readReport } from './report-file.ts';
import { formatBar, formatFigure, formatRatio, listTightest, type Verdict } from './verdict.ts';

const ROOT = resolve(import.meta.dirname, '../..');
export const PAGES: readonly string[] = [resolve(ROOT, 'README.md'), resolve(ROOT, 'docs/performance.md')];

/**
 * Writes the tables from a report to the pages that show them.
 * @param path the path of a report in the reports folder
 */
export function writeFigures(path: string): void {
  const report = readReport(path);
  for (const page of PAGES) {
    const text = readFileSync(page, 'utf8');
    const written = replaceBlocks(text, report, basename(path), findFolder(page));
    if (written !== text) writeFileSync(page, written);
  }
}

/** The reports folder, relative to a page. */
export function findFolder(page: string): string {
  return relative(dirname(page), REPORT_FOLDER);
}

export interface FigureBlock {
  readonly kind: ReportKind;
  readonly form: keyof typeof FORMS;
  /** Undefined if no run has filled the block yet. */
  readonly file: string | undefined;
  readonly body: string;
}

const BLOCK =
  /<!-- figures: (?<kind>embedded|full|postgres|peers|images) (?<form>table|summary|highlights)(?: (?<file>\S+\.json))? -->\n(?<body>.*?)<!-- \/figures -->/gs;

export function listBlocks(page: string): readonly FigureBlock[] {
  return [...page.matchAll(BLOCK)].map(({ groups }) => asBlock(groups ?? {}));
}

/** Converts the capture groups of a BLOCK match. */
function asBlock({ kind, form, file, body }: Readonly<Record<string, string | undefined>>): FigureBlock {
  return { kind: kind as ReportKind, form: asForm(form), file, body: body ?? '' };
}

/** The cast is safe, because BLOCK captures only valid forms. */
function asForm(form: string | undefined): FigureBlock['form'] {
  return form as FigureBlock['form'];
}

/** @param folder the reports folder, relative to the page */
export function replaceBlocks(page: string, report: Report, file: string, folder: string): string {
  return page.replace(BLOCK, (whole, kind: string, form: string) => {
    if (kind !== report.kind) return whole;
    const body = renderBlock(asForm(form), report, folder);
    return `<!-- figures: ${kind} ${form} ${file} -->\n${body}<!-- /figures -->`;
  });
}

export function renderBlock(form: FigureBlock['form'], report: Report, folder: string): string {
  const { verdicts, charts, command } = report;
  const images = charts.map((chart) => `![${nameChart(chart)}](${folder}/${chart})`);
  const origin = `\`${command}\`, ${describeOrigin(report)}.`;
  const paragraphs = form === 'table' ? [origin, ...images] : [origin];
  return `\n${FORMS[form](verdicts).join('\n')}\n\n${paragraphs.map((paragraph) => `${paragraph}\n\n`).join('')}`;
}

const FORMS = { table: renderSections, summary: renderSummary, highlights: renderHighlights } as const;

const HIGHLIGHTS = [
  { name: 'An object by its ID, requested again', section: AGAINST_BARE.repeated, what: 'object by id' },
  {
    name: 'A list of 20, requested for the first time',
    section: AGAINST_BARE['first-time'],
    what: 'list of 20, newest first, first page',
  },
  { name: 'Memory under load', section: PLAIN_FIGURES, what: 'memory under load' },
] as const;

/** All three figures are for the large site, whose rows come last. */
function renderHighlights(verdicts: readonly Verdict[]): readonly string[] {
  const rows = HIGHLIGHTS.map(({ name, section, what }) => {
    const found = verdicts.findLast((verdict) => verdict.section === section && verdict.what.startsWith(what));
    if (found === undefined) throw new Error(`The report has no row "${what}" in "${section}"`);
    return { ...found, name };
  });
  const size = /[\d,]+ objects$/.exec(rows[0]?.what ?? '')?.[0];
  return [
    `| On a site of ${size} | Galley | bare \`node:http\`, same bytes |`,
    '|---|---:|---:|',
    ...rows.map(({ name, figure, yardstick, unit }) => {
      const beside = yardstick === null ? '–' : formatMeasured(yardstick, unit);
      return `| ${name} | ${formatMeasured(figure, unit)} | ${beside} |`;
    }),
  ];
}

function formatMeasured(figure: number, unit: string): string {
  return `${formatFigure(figure)} ${unit === '/s' ? 'requests/s' : unit}`;
}

/** The tightest result in each category. */
function renderSummary(verdicts: readonly Verdict[]): readonly string[] {
  return [
    '| category | tightest result | measured | target | met |',
    '|---|---|---:|---:|---|',
    ...listTightest(verdicts).map(({ section, what, figure, unit, ratio, bar, holds }) => {
      const measured = ratio === null ? `${formatFigure(figure)} ${unit}` : formatRatio(ratio);
      return renderRow([section, what, measured, formatBar(bar)], holds);
    }),
  ];
}

function renderSections(verdicts: readonly Verdict[]): readonly string[] {
  return [
    '| what | figure | compared with | ratio | target | met |',
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
  return file.includes('growth') ? 'How list speed changes as a site grows' : 'Requests per second, side by side';
}
