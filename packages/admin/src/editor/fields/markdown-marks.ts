// Adds and removes Markdown formatting for the buttons above the text.

export const MARKDOWN_MARKS = ['bold', 'italic', 'heading', 'link', 'list', 'quote', 'code'] as const;

export type MarkdownMark = (typeof MARKDOWN_MARKS)[number];

export interface Selection {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const AROUND: Readonly<Partial<Record<MarkdownMark, readonly [string, string]>>> = {
  bold: ['**', '**'],
  italic: ['_', '_'],
  link: ['[', '](https://)'],
  code: ['`', '`'],
};
const BEFORE_LINES: Readonly<Partial<Record<MarkdownMark, string>>> = { heading: '## ', list: '- ', quote: '> ' };

/** Formats the selection, or removes the formatting if it is already there. */
export function toggleMark(selection: Selection, mark: MarkdownMark): Selection {
  const around = AROUND[mark];
  return around === undefined ? toggleLines(selection, BEFORE_LINES[mark] ?? '') : toggleAround(selection, around);
}

function toggleAround({ text, start, end }: Selection, [before, after]: readonly [string, string]): Selection {
  const [head, chosen, tail] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  if (head.endsWith(before) && tail.startsWith(after)) {
    const from = start - before.length;
    return { text: head.slice(0, from) + chosen + tail.slice(after.length), start: from, end: from + chosen.length };
  }
  const from = start + before.length;
  return { text: head + before + chosen + after + tail, start: from, end: from + chosen.length };
}

function toggleLines({ text, start, end }: Selection, prefix: string): Selection {
  const first = text.lastIndexOf('\n', start - 1) + 1;
  const lines = text.slice(first, end).split('\n');
  const isMarked = lines.every((line) => line.startsWith(prefix));
  const changed = lines.map((line) => (isMarked ? line.slice(prefix.length) : prefix + line)).join('\n');
  const shift = isMarked ? -prefix.length : prefix.length;
  return {
    text: text.slice(0, first) + changed + text.slice(end),
    start: Math.max(first, start + shift),
    end: first + changed.length,
  };
}
