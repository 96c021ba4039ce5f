// Tables are not part of CommonMark, so the parser returns them as paragraphs. This plugin finds lines of cells separated by pipes, with
// the alignments on the second line, and turns them into tables.

/** The properties of parser nodes that this plugin uses. */
interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
  align?: readonly Alignment[];
  position?: { readonly start: { readonly offset?: number }; readonly end: { readonly offset?: number } } | undefined;
}

type Alignment = 'left' | 'right' | 'center' | null;
type Line = readonly MarkdownNode[];

/** A pipe between two cells. */
const BAR: MarkdownNode = { type: 'bar' };
const DELIMITER = /^:?-+:?$/;
/** The first group matches everything that the parser reads as a pipe. Other escaped characters are skipped. */
const WRITTEN_BAR = /\\[^|]|(\\?\||&(?:#0*124|#x0*7c|vert|verbar|VerticalLine);)/gi;

/** A remark plugin. */
export function findMarkdownTables() {
  return (tree: MarkdownNode, file: { toString(): string }): void => visit(tree, String(file));
}

function visit(node: MarkdownNode, source: string): void {
  if (node.children === undefined) return;
  for (const child of node.children) visit(child, source);
  node.children = node.children.flatMap((child) =>
    child.type === 'paragraph' ? splitParagraph(child, source) : [child],
  );
}

/** Returns the paragraph itself or, if it contains a table, the lines before the table and the table. */
function splitParagraph(paragraph: MarkdownNode, source: string): readonly MarkdownNode[] {
  const lines = listLines(paragraph.children ?? [], source);
  const delimiter = lines.findIndex((line, index) => index > 0 && readAlignments(line) !== undefined);
  const alignments = readAlignments(lines[delimiter] ?? []);
  const head = lines[delimiter - 1];
  if (alignments === undefined || head === undefined || listCells(head).length !== alignments.length)
    return [paragraph];
  const rows = [head, ...lines.slice(delimiter + 1)].map((line) => buildRow(line, alignments.length));
  const table = { type: 'table', align: alignments, children: rows };
  const before = lines.slice(0, delimiter - 1).flatMap((line) => [...line, { type: 'text', value: '\n' }]);
  const children = before.map((node) => (node === BAR ? { type: 'text', value: '|' } : node));
  return children.length === 0 ? [table] : [{ type: 'paragraph', children }, table];
}

function buildRow(line: Line, columns: number): MarkdownNode {
  const cells = line.includes(BAR) ? listCells(line) : [line];
  const children = Array.from({ length: columns }, (_, index) => ({
    type: 'tableCell',
    children: (cells[index] ?? []).map(unescapeCode),
  }));
  return { type: 'tableRow', children };
}

/** In a table, `\|` is a pipe even inside code, where the parser keeps the backslash. */
function unescapeCode(node: MarkdownNode): MarkdownNode {
  if (node.type === 'inlineCode') return { ...node, value: (node.value ?? '').replaceAll('\\|', '|') };
  return node.children === undefined ? node : { ...node, children: node.children.map(unescapeCode) };
}

function listLines(nodes: readonly MarkdownNode[], source: string): readonly Line[] {
  const lines: MarkdownNode[][] = [[]];
  for (const node of nodes) {
    if (node.type === 'break') {
      lines.push([]);
      continue;
    }
    for (const [index, part] of (node.type === 'text' ? splitLines(node, source) : [[node]]).entries()) {
      if (index > 0) lines.push([]);
      lines.at(-1)?.push(...part);
    }
  }
  return lines;
}

/**
 * An escaped pipe, or one written as an entity, is text. The parser has already decoded both, but the pipes in the source are in the same
 * order.
 */
function splitLines({ value = '', position }: MarkdownNode, source: string): readonly Line[] {
  const written = source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
  const bars = [...written.matchAll(WRITTEN_BAR)].map(([, bar]) => bar).filter((bar) => bar !== undefined);
  return value.split('\n').map((line) => {
    const parts: MarkdownNode[] = [];
    let text = '';
    const endText = (): void => {
      if (text !== '') parts.push({ type: 'text', value: text });
      text = '';
    };
    for (const part of line.split(/(\|)/)) {
      if (part === '|' && bars.shift() === '|') {
        endText();
        parts.push(BAR);
      } else text += part;
    }
    endText();
    return parts;
  });
}

function listCells(line: Line): readonly Line[] {
  const cells: MarkdownNode[][] = [[]];
  for (const node of line) {
    if (node === BAR) cells.push([]);
    else cells.at(-1)?.push(node);
  }
  // Pipes at the ends of a line are optional.
  if (isBlank(cells[0])) cells.shift();
  if (isBlank(cells.at(-1))) cells.pop();
  return line.includes(BAR) ? cells : [];
}

function isBlank(cell: Line | undefined): boolean {
  return cell?.every(({ type, value }) => type === 'text' && value?.trim() === '') === true;
}

/** Undefined unless the line separates the table head from the body. */
function readAlignments(line: Line): readonly Alignment[] | undefined {
  const cells = listCells(line).map((cell) => cell.map(readPlain).join('').trim());
  if (cells.length === 0 || !cells.every((cell) => DELIMITER.test(cell))) return undefined;
  return cells.map((cell) => {
    if (cell.startsWith(':') && cell.endsWith(':')) return 'center';
    return cell.endsWith(':') ? 'right' : cell.startsWith(':') ? 'left' : null;
  });
}

/** Replaces everything but text with a character that no delimiter contains. */
function readPlain({ type, value = '' }: MarkdownNode): string {
  return type === 'text' ? value : '*';
}
