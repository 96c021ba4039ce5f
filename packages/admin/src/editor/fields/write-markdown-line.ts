// Writes formatted text as Markdown. Where Markdown cannot express the formatting, for example if only part of a word is bold and italic,
// some characters get a different format: no text may be lost, and no formatting characters may be visible.

/** The properties of DOM nodes that this code uses. */
export interface HtmlNode {
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly childNodes: Iterable<HtmlNode>;
  readonly getAttribute?: (name: string) => string | null;
}

/** Text within a block, all in the same format. */
interface Run {
  readonly text: string;
  readonly isCode: boolean;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly href: string | undefined;
}

type Format = Omit<Run, 'text'>;

const BLOCKS = /^(?:p|div|h[1-6]|blockquote|ul|ol|li|pre|table|caption|t[rdh]|hr)$/;
const PLAIN: Format = { isCode: false, isBold: false, isItalic: false, href: undefined };
const LINE_BREAK: Run = { ...PLAIN, text: '\n' };

/** The lines of the text. A line ends at a line break, and before and after a block. */
export function writeLines(nodes: Iterable<HtmlNode>): readonly string[] {
  return writeRuns(settle(joinRuns(listRuns(nodes, PLAIN)).map(settleCode)))
    .split('\n')
    .map((line) => line.trim());
}

function listRuns(nodes: Iterable<HtmlNode>, format: Format): readonly Run[] {
  return [...nodes].flatMap((node): readonly Run[] => {
    const name = readName(node);
    if (name === '#text') return [{ ...format, text: (node.nodeValue ?? '').replaceAll(/[ \t\r\n]+/g, ' ') }];
    if (name === 'br') return [LINE_BREAK];
    const inside = listRuns(node.childNodes, {
      isCode: format.isCode || name === 'code',
      isBold: format.isBold || /^(?:b|strong)$/.test(name),
      isItalic: format.isItalic || /^(?:i|em)$/.test(name),
      href: (name === 'a' ? node.getAttribute?.('href') : undefined) ?? format.href,
    });
    return BLOCKS.test(name) ? [LINE_BREAK, ...inside, LINE_BREAK] : inside;
  });
}

/** Anything but a space or punctuation. Like most Markdown parsers, this counts emoji as letters. */
export const LETTER_FIRST = /^[[^\s\p{P}\p{S}][\u{10000}-\u{10ffff}]]/v;
export const LETTER_LAST = /[[^\s\p{P}\p{S}][\u{10000}-\u{10ffff}]]$/v;
const SIGNS_FIRST = /^[[\s\p{P}\p{S}]--[\u{10000}-\u{10ffff}]]*/v;
const SIGNS_LAST = /[[\s\p{P}\p{S}]--[\u{10000}-\u{10ffff}]]*$/v;

/** Joins runs in the same format, and runs whose formats Markdown cannot separate: emphasis that changes within a word, and code beside code. */
function joinRuns(runs: readonly Run[]): readonly Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last !== undefined && mustJoin(last, run)) joined[joined.length - 1] = { ...last, text: last.text + run.text };
    else joined.push(run);
  }
  return joined;
}

function mustJoin(one: Run, other: Run): boolean {
  if (one === LINE_BREAK || other === LINE_BREAK || one.href !== other.href || one.isCode !== other.isCode)
    return false;
  const isSame = one.isBold === other.isBold && one.isItalic === other.isItalic;
  const isInWord = LETTER_LAST.test(one.text) && LETTER_FIRST.test(other.text);
  return isSame || one.isCode || (isInWord && isEmphasised(one) && isEmphasised(other));
}

function isEmphasised({ isBold, isItalic }: Format): boolean {
  return isBold || isItalic;
}

/** Code beside a letter cannot be emphasised. Brackets cannot be escaped in code, so code that contains one cannot be the text of a link. */
function settleCode(run: Run, index: number, runs: readonly Run[]): Run {
  if (!run.isCode) return run;
  if (run.href !== undefined && run.text.includes(']')) return { ...PLAIN, text: run.text, href: run.href };
  const isBesideLetter =
    LETTER_LAST.test(runs[index - 1]?.text ?? '') || LETTER_FIRST.test(runs[index + 1]?.text ?? '');
  return isBesideLetter ? { ...run, isBold: false, isItalic: false } : run;
}

/** If a run loses its format, the run before it has a new edge. */
function settle(runs: readonly Run[]): readonly Run[] {
  const settled = joinRuns(runs.flatMap(settleEdges));
  return JSON.stringify(settled) === JSON.stringify(runs) ? settled : settle(settled);
}

/** Emphasis cannot start or end with a space, or with punctuation beside a letter. Such characters lose their format. */
function settleEdges(run: Run, index: number, runs: readonly Run[]): readonly Run[] {
  if (run.isCode || run === LINE_BREAK) return [run];
  const [before = LINE_BREAK, after = LINE_BREAK] = [runs[index - 1], runs[index + 1]];
  const [start = ''] = (LETTER_LAST.test(before.text) ? SIGNS_FIRST : /^\s*/).exec(run.text) ?? [];
  const rest = run.text.slice(start.length);
  const [end = ''] = (LETTER_FIRST.test(after.text) ? SIGNS_LAST : /\s*$/).exec(rest) ?? [];
  const middle = rest.slice(0, rest.length - end.length);
  const [startFormat, endFormat] = [findCommon(before, run), findCommon(run, after)];
  const between = findCommon(startFormat, endFormat);
  const parts = [
    { ...(middle === '' ? between : startFormat), text: start },
    { ...run, text: middle },
    { ...(middle === '' ? between : endFormat), text: end },
  ];
  return parts.filter(({ text }) => text !== '');
}

/** The formats that two runs share. Italics are inside bold, and both are inside links, so an inner format ends with the outer one. */
function findCommon(one: Format, other: Format): Format {
  if (one.href !== other.href) return PLAIN;
  const { href } = one;
  if (one.isBold !== other.isBold) return { ...PLAIN, href };
  return { href, isBold: one.isBold, isItalic: one.isItalic && other.isItalic, isCode: false };
}

const FORMATS = ['href', 'isBold', 'isItalic'] as const;

/** @param formats the formats that are not yet the same for all of these runs, outermost first */
function writeRuns(
  runs: readonly Run[],
  [format, ...inner]: readonly (typeof FORMATS)[number][] = FORMATS,
  from = 0,
  to = runs.length,
): string {
  if (format === undefined) return runs.slice(from, to).map(writeRun).join('');
  let written = '';
  for (let start = from, end = from; start < to; start = end) {
    const run = runs[start];
    while (end < to && runs[end]?.[format] === run?.[format]) end += 1;
    const inside = writeRuns(runs, inner, start, end);
    if (run?.[format] === undefined || run[format] === false) {
      written += inside;
    } else if (format === 'href') {
      // An exclamation mark before a link would make it a picture.
      written = `${written.replace(/!$/, '\\!')}[${inside}](${encodeAddress(run.href ?? '')})`;
    } else {
      const isInWord = LETTER_LAST.test(runs[start - 1]?.text ?? '') || LETTER_FIRST.test(runs[end]?.text ?? '');
      const sign = format === 'isBold' ? '**' : isInWord ? '*' : '_';
      written += `${sign}${inside}${sign}`;
    }
  }
  return written;
}

const SPECIAL = /[\\`*[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!?])|&(?=#?\w+;)|~(?=~)|(?<=~)~/giu;

function writeRun({ text, isCode }: Run): string {
  if (!isCode) return text.replaceAll(SPECIAL, '\\$&');
  const fence = buildFence(text, 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

/** A row of backticks that is longer than any in the code. */
export function buildFence(code: string, least: number): string {
  const lengths = Array.from(code.matchAll(/`+/g), ([ticks]) => ticks.length + 1);
  return '`'.repeat(Math.max(least, ...lengths));
}

function encodeAddress(href: string): string {
  return href.replaceAll(/[\s()<>\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

export function readName({ nodeName }: HtmlNode): string {
  return nodeName.toLowerCase();
}
