// Prints the results of commands: JSON for machines; text, tables and summaries for people.

import { cleanLines, cleanText, createPaint, type Paint } from './paint.ts';

/** Prints one JSON value to standard output. Everything else that a command prints goes to standard error. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value).replace(UNFIT_IN_JSON, escapeCharacter)}\n`);
}

/**
 * JSON.stringify escapes control characters only up to U+001F. The characters listed here can also control a terminal or reverse its
 * text.
 */
const UNFIT_IN_JSON = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Prints to standard error. */
export function printNotices(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${cleanLines(line)}\n`);
}

/** Prints text after removing control characters, because file names and stored text may contain them. */
export function printText(text: string): void {
  printPainted(cleanLines(text));
}

/** Prints text with its colours. The caller must clean file names and stored text first. */
export function printPainted(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

interface Created {
  readonly title: string;
  readonly rows: readonly (readonly [label: string, value: string])[];
  /** Lines of advice. */
  readonly advice: readonly string[];
}

/** Prints a summary of something that the command has just created. The caller must clean stored text first. */
export function printCreated({ title, rows, advice }: Created): void {
  const paint = createPaint(process.stdout);
  const lines = [
    '',
    `  ${paint('title', title)}`,
    '',
    ...rows.map(([label, value]) => `  ${paint('dim', label.padEnd(9))} ${value}`),
    '',
    ...advice.map((line) => `  ${line}`),
    ...(advice.length === 0 ? [] : ['']),
    '',
  ];
  printPainted(lines.join('\n'));
}

export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const GAP = '   ';

export function printTable(table: Table): void {
  printPainted(renderTable(table, process.stdout.columns, createPaint(process.stdout)));
}

/**
 * Renders rows under their headings. If the terminal is too narrow, each row becomes a paragraph with labelled values, so nothing is cut
 * off and ids can be copied.
 * @param width the width of the terminal in columns; undefined if the output is not a terminal
 */
export function renderTable({ headings, rows }: Table, width: number | undefined, paint: Paint): string {
  const cells = rows.map((row) => row.map(cleanText));
  const widths = headings.map((heading, index) =>
    Math.max(...[heading, ...cells.map((row) => row[index] ?? '')].map(countColumns)),
  );
  const total = widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
  if (width !== undefined && total > width) return renderParagraphs(headings, cells, width, paint);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - countColumns(cell))))
      .join(GAP)
      .trimEnd();
  return [paint('dim', line(headings)), ...cells.map(line)].join('\n');
}

function renderParagraphs(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  paint: Paint,
): string {
  return rows
    .map(([title = '', ...values]) => {
      const lines: { text: string; columns: number }[] = [];
      for (const [index, value] of values.entries()) {
        const heading = (headings[index + 1] ?? '').toLowerCase();
        const columns = countColumns(heading) + 1 + countColumns(value);
        const pair = `${paint('dim', heading)} ${value}`;
        const last = lines.at(-1);
        if (last === undefined || last.columns + GAP.length + columns > width) {
          lines.push({ text: `  ${pair}`, columns: columns + 2 });
        } else {
          last.text += `${GAP}${pair}`;
          last.columns += GAP.length + columns;
        }
      }
      return [paint('title', title), ...lines.map(({ text }) => text)].join('\n');
    })
    .join('\n\n');
}

function countColumns(text: string): number {
  return [...text].length;
}

/** Shortens a time from the API for display in a table. */
export function formatTime(time: string | null): string {
  return time === null ? 'never' : `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
