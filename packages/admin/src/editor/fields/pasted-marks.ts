// Recognises how other programs mark lists, styles and headings in copied text. Word writes a list as paragraphs, and Word for the
// web writes each entry as a separate list. Pages and other Mac programs write styles as classes, and indicate headings only by their font
// size. Word uses a class for the title, and Word for the web uses a role for headings.

import { type Declarations, parseDeclarations, readStyle, readStyleSheet } from './parse-html.ts';

interface ListLine {
  readonly element: Element;
  readonly level: number;
  readonly isNumbered: boolean;
  readonly start: number;
  readonly content: Iterable<Node>;
}

const IN_WORD = /\bl\d+\s+level(\d+)/;
const NUMBER = /^\(?(?:(\d+)|[a-z]{1,4})[.)]/i;
const RULE = /\b([a-z]+)\.([a-z]+\d+)\s*\{([^}]*)\}/gi;
const SIZE = /([\d.]+)px/;
const MOST_LEVELS = 3;
const HEADING_RATIO = 1.15;

export function nestListLines(body: Element): void {
  for (const element of body.querySelectorAll('p, h1, h2, h3, h4, h5, h6, div.ListContainerWrapper')) {
    const first = readLine(element);
    if (first !== undefined && element.isConnected) nest(first);
  }
}

function readLine(element: Element | null): ListLine | undefined {
  if (element === null) return undefined;
  if (element.matches('.ListContainerWrapper')) return readWebLine(element);
  const style = readStyle(element);
  const [, level] = IN_WORD.exec(style.get('mso-list') ?? '') ?? [];
  if (level === undefined) return undefined;
  const sign = readSign(element);
  const [isNumbered, start] = NUMBER.exec(sign) ?? [];
  return {
    element,
    level: Number(level),
    isNumbered: isNumbered !== undefined,
    start: Number(start ?? 1),
    content: element.childNodes,
  };
}

function readWebLine(element: Element): ListLine | undefined {
  const item = element.querySelector('li');
  const list = item?.parentElement;
  if (item === null || list === null || list === undefined) return undefined;
  return {
    element,
    level: Number(item.getAttribute('data-aria-level') ?? 1),
    isNumbered: list.localName === 'ol',
    start: Number(list.getAttribute('start') ?? 1),
    content: item.childNodes,
  };
}

/** The bullet or number that Word writes before the line, for programs that do not support lists. */
function readSign(line: Element): string {
  const sign = [...line.querySelectorAll('span')].find((span) => readStyle(span).get('mso-list') === 'ignore');
  return sign?.textContent.trim() ?? '';
}

/** Builds one list from a line and the lines that follow it. */
function nest(first: ListLine): void {
  const page = first.element.ownerDocument;
  const place = page.createElement('div');
  first.element.before(place);
  const open: { readonly level: number; readonly isNumbered: boolean; readonly list: Element }[] = [];
  for (let line: ListLine | undefined = first; line !== undefined; line = readLine(place.nextElementSibling)) {
    const { level, isNumbered, start } = line;
    let top = open.at(-1);
    while (top !== undefined && (top.level > level || (top.level === level && top.isNumbered !== isNumbered))) {
      open.pop();
      top = open.at(-1);
    }
    if (top === undefined || top.level < level) {
      const list = page.createElement(isNumbered ? 'ol' : 'ul');
      if (isNumbered && start > 1) list.setAttribute('start', String(start));
      (top?.list.lastElementChild ?? place).append(list);
      top = { level, isNumbered, list };
      open.push(top);
    }
    const item = page.createElement('li');
    item.append(...line.content);
    top.list.append(item);
    line.element.remove();
  }
  place.replaceWith(...place.childNodes);
}

export interface Sheet {
  readonly readStyle: (element: Element) => Declarations;
  /** The level of a heading that is not an h1 to h6 element. */
  readonly readHeading: (element: Element) => number | undefined;
}

export function readSheet(html: string, body: Element): Sheet {
  if (!/<meta[^>]+Cocoa HTML Writer/i.test(html)) {
    return { readStyle, readHeading: readNamedHeading };
  }
  const rules = new Map<string, Declarations>();
  for (const [, tag, name, declarations = ''] of readStyleSheet(html).matchAll(RULE)) {
    rules.set(`${tag}.${name}`, expandFont(parseDeclarations(declarations)));
  }
  const findRule = ({ localName, className }: Element): Declarations =>
    rules.get(`${localName}.${className}`) ?? new Map();
  const sizes = findHeadingSizes(body, (element) => readSize(findRule(element)));
  return {
    readStyle: (element) => new Map([...findRule(element), ...readStyle(element)]),
    readHeading: (element) => {
      const level = element.localName === 'p' ? sizes.indexOf(readSize(findRule(element))) : -1;
      return level < 0 ? undefined : Math.min(level + 1, MOST_LEVELS);
    },
  };
}

function readNamedHeading(element: Element): number | undefined {
  if (element.matches('p.MsoTitle')) return 1;
  const level = Number(element.matches('p[role="heading"]') ? element.getAttribute('aria-level') : 0);
  return level >= 1 && level <= 6 ? level : undefined;
}

function expandFont(declarations: Declarations): Declarations {
  const font = declarations.get('font');
  if (font === undefined) return declarations;
  const size = SIZE.exec(font)?.[0] ?? '';
  return new Map([
    ...declarations,
    ['font-size', size],
    ...(/\bbold\b/.test(font) ? [['font-weight', 'bold'] as const] : []),
    ...(/\bitalic\b/.test(font) ? [['font-style', 'italic'] as const] : []),
  ]);
}

function readSize(declarations: Declarations): number {
  return Number(SIZE.exec(declarations.get('font-size') ?? '')?.[1] ?? 0);
}

/** Font sizes larger than the most common one, largest first. */
function findHeadingSizes(body: Element, sizeOf: (element: Element) => number): readonly number[] {
  const lengths = new Map<number, number>();
  for (const line of body.querySelectorAll('p, li')) {
    const size = sizeOf(line);
    lengths.set(size, (lengths.get(size) ?? 0) + line.textContent.trim().length);
  }
  const [[usual] = [0]] = [...lengths].toSorted(([, one], [, other]) => other - one);
  return [...lengths.keys()].filter((size) => size > usual * HEADING_RATIO).toSorted((one, other) => other - one);
}
