// Rows of text under their headings. Where the terminal is too narrow for the table, each row becomes a paragraph that
// names its values, so that nothing is cut off: ids must be whole to be copied.

import { cleanText, type Paint } from './paint.ts';

export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const GAP = '   ';

/** @param width columns of the terminal; undefined where the text goes elsewhere. */
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
