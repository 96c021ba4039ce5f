// Writes cleaned HTML as Markdown. Characters that Markdown would read as formatting are escaped. Formatting that Markdown does not have
// is dropped, but its text is kept.

import { buildFence, type HtmlNode, readName, writeLines } from './write-markdown-line.ts';

const WRITERS: Readonly<Record<string, (node: HtmlNode) => readonly string[]>> = {
  p: ({ childNodes }) => writeBlocks(childNodes),
  div: ({ childNodes }) => writeBlocks(childNodes),
  li: ({ childNodes }) => writeBlocks(childNodes),
  h1: writeHeading,
  h2: writeHeading,
  h3: writeHeading,
  h4: writeHeading,
  h5: writeHeading,
  h6: writeHeading,
  blockquote: writeQuote,
  ul: writeList,
  ol: writeList,
  pre: writeCodeBlock,
  hr: () => ['---'],
  table: writeTable,
};

export function writeMarkdown(nodes: Iterable<HtmlNode>): string {
  return writeBlocks(nodes).join('\n\n');
}

function writeBlocks(nodes: Iterable<HtmlNode>): readonly string[] {
  const blocks: string[] = [];
  let line: HtmlNode[] = [];
  const endLine = (): void => {
    blocks.push(...writeParagraphs(line));
    line = [];
  };
  for (const node of nodes) {
    const write = WRITERS[readName(node)];
    if (write === undefined) {
      line.push(node);
    } else {
      endLine();
      blocks.push(...write(node));
    }
  }
  endLine();
  return blocks;
}

/** The start of a line that Markdown would read as a heading, a block quote, a list item or a horizontal rule. */
const BLOCK_SIGN = /^(?=(?:#{1,6}|[-+])(?:\s|$)|>|=+$|-[-\s]*$)/;
const NUMBER_SIGN = /^(\d{1,9})(?=[.)](?:\s|$))/;

/** Several line breaks in a row end a paragraph. */
function writeParagraphs(nodes: readonly HtmlNode[]): readonly string[] {
  const lines = writeLines(nodes).map((line) => line.replace(BLOCK_SIGN, '\\').replace(NUMBER_SIGN, '$1\\'));
  const paragraphs = lines
    .join('\n')
    .trim()
    .split(/\n{2,}/);
  return paragraphs.filter((text) => text !== '').map((text) => text.replaceAll('\n', '\\\n'));
}

function writeHeading(node: HtmlNode): readonly string[] {
  // Markdown ignores hash signs at the end of a heading.
  const text = writeOnOneLine(node).replace(/(?<=^|\s)#+$/, '\\$&');
  return text === '' ? [] : [`${'#'.repeat(Number(readName(node).slice(1)))} ${text}`];
}

function writeQuote({ childNodes }: HtmlNode): readonly string[] {
  const text = writeMarkdown(childNodes);
  return text === '' ? [] : [text.replaceAll(/^(?=.)/gm, '> ').replaceAll(/^$/gm, '>')];
}

function writeList(list: HtmlNode): readonly string[] {
  const items: string[] = [];
  for (const child of list.childNodes) {
    const text = joinInItem(writeBlocks([child]));
    const last = items.at(-1);
    if (text === '') continue;
    // Some programs put a nested list after an item instead of in it.
    if (readName(child) === 'li' || last === undefined) items.push(text);
    else items[items.length - 1] = joinInItem([last, text]);
  }
  const start = Number(list.getAttribute?.('start') ?? 1);
  const marked = items.map((text, index) => {
    const sign = readName(list) === 'ol' ? `${start + index}. ` : '- ';
    return sign + text.replaceAll(/\n(?=.)/g, `\n${' '.repeat(sign.length)}`);
  });
  return items.length === 0 ? [] : [marked.join(items.some((text) => text.includes('\n\n')) ? '\n\n' : '\n')];
}

/** Directly after text, Markdown recognises bullets and a list that starts with 1. Any other block needs a blank line before it. */
function joinInItem(blocks: readonly string[]): string {
  return blocks.reduce((text, block) => `${text}${/^(?:-|1\.) /.test(block) ? '\n' : '\n\n'}${block}`, '').trim();
}

function writeCodeBlock(node: HtmlNode): readonly string[] {
  const code = readText(node).replace(/\n$/, '');
  const fence = buildFence(code, 3);
  return [`${fence}\n${code}\n${fence}`];
}

function writeTable(table: HtmlNode): readonly string[] {
  const rows = listInside(table, /^tr$/).map((row) =>
    listInside(row, /^t[dh]$/).map((cell) => writeOnOneLine(cell).replaceAll('|', '\\|')),
  );
  const width = Math.max(0, ...rows.map((row) => row.length));
  const lines = rows.map((row) => writeRow(Array.from({ length: width }, (_, index) => row[index] ?? '')));
  lines.splice(1, 0, writeRow(Array.from({ length: width }, () => '---')));
  const captions = [...table.childNodes].filter((child) => readName(child) === 'caption');
  return [...captions.map(writeOnOneLine), ...(width === 0 ? [] : [lines.join('\n')])];
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function listInside({ childNodes }: HtmlNode, name: RegExp): readonly HtmlNode[] {
  return [...childNodes].flatMap((child) => (name.test(readName(child)) ? [child] : listInside(child, name)));
}

function writeOnOneLine({ childNodes }: HtmlNode): string {
  return writeLines(childNodes)
    .filter((line) => line !== '')
    .join(' ');
}

function readText(node: HtmlNode): string {
  return readName(node) === '#text' ? (node.nodeValue ?? '') : Array.from(node.childNodes, readText).join('');
}
