// Turns text copied from another program into HTML that the visual editor supports: headings, bold, italics, links and lists,
// however that program marks them. The result is built from scratch, and parts that cannot be kept are counted.

import { createBlock } from './html-block.ts';
import { type Declarations, HELD_STYLE_ELEMENT, parseHtml } from './parse-html.ts';
import { nestListLines, readSheet } from './pasted-marks.ts';

/** The number of items of each kind that could not be pasted. */
export interface Losses {
  readonly pictures: number;
  readonly embeds: number;
  readonly comments: number;
  /** Buttons and form fields. */
  readonly controls: number;
  /** Links that lost their address. Their text is kept. */
  readonly links: number;
  /** Superscripts and subscripts that became normal text. */
  readonly scripts: number;
  /** Underlined or struck-through text that became normal text, because Markdown has neither. */
  readonly lines: number;
}

export const NO_LOSSES: Losses = {
  pictures: 0,
  embeds: 0,
  comments: 0,
  controls: 0,
  links: 0,
  scripts: 0,
  lines: 0,
};

export interface CleanedPaste {
  readonly html: string;
  readonly losses: Losses;
}

interface Format {
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isStruck: boolean;
  readonly isUnderlined: boolean;
  readonly isCode: boolean;
  readonly href: string | undefined;
  /** Superscript or subscript, which the editor does not support. */
  readonly isScript: boolean;
  /** Bold is dropped in headings, which are bold anyway. */
  readonly isInHeading: boolean;
}

const PLAIN: Format = {
  isBold: false,
  isItalic: false,
  isStruck: false,
  isUnderlined: false,
  isCode: false,
  href: undefined,
  isScript: false,
  isInHeading: false,
};

const LEFT_OUT = `head, title, meta, link, base, script, noscript, template, xml, ${HELD_STYLE_ELEMENT}, input[type=hidden], span.EOP`;
const PICTURES = 'img, svg, canvas';
const EMBEDS = 'video, audio, iframe, object, embed';
const SCRIPTS = 'sup, sub';
const CONTROLS = 'select, textarea, input, button';
const KEPT_BLOCKS: ReadonlySet<string> = new Set([
  'p',
  'blockquote',
  'ul',
  'ol',
  'li',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]);
const OTHER_BLOCKS =
  'div, section, article, header, footer, main, aside, nav, figure, figcaption, address, center, form, fieldset, details, summary, dl, dt, dd';
const BLOCKS = 'p, div, blockquote, pre, ul, ol, li, hr, h1, h2, h3, h4, h5, h6';
const WORD_COMMENT = /\bmso-?commentreference\b|\bmsocomanchor\b/i;
const EMOJI = /^\p{RGI_Emoji}+$/v;
const LINKED: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Whether the text comes from a ProseMirror editor, such as this one, and contains only elements that this editor supports. */
export function needsNoCleaning(pasted: string): boolean {
  const isFromEditor = pasted.includes('data-pm-slice');
  return (
    isFromEditor && parseHtml(pasted).querySelector(`table, ${PICTURES}, ${EMBEDS}, ${CONTROLS}, ${SCRIPTS}`) === null
  );
}

export function cleanPastedHtml(pasted: string): CleanedPaste {
  const body = parseHtml(pasted);
  const sheet = readSheet(pasted, body);
  const losses = { ...NO_LOSSES };
  const page = body.ownerDocument;
  nestListLines(body);
  restoreSpaces(body);

  function append(nodes: Iterable<Node>, to: Element, format: Format): void {
    for (const node of nodes) {
      if (node instanceof Text) appendText(node.data, to, format);
      else if (node instanceof Element) appendElement(node, to, format);
    }
  }

  function appendText(text: string, to: Element, format: Format): void {
    let node: Node = page.createTextNode(text);
    for (const [tag, has] of [
      ['code', format.isCode],
      ['u', format.isUnderlined && format.href === undefined],
      ['s', format.isStruck],
      ['em', format.isItalic],
      ['strong', format.isBold && !format.isInHeading],
    ] as const) {
      if (has) node = wrap(page.createElement(tag), node);
    }
    if (format.href !== undefined) {
      const link = page.createElement('a');
      link.setAttribute('href', format.href);
      node = wrap(link, node);
    }
    to.append(node);
  }

  function appendElement(element: Element, to: Element, format: Format): void {
    const { localName } = element;
    const style = sheet.readStyle(element);
    if (element.matches(LEFT_OUT) || isHidden(style) || isComment(element, style)) return;
    if (element.matches(PICTURES)) {
      appendPicture(element, to, format);
    } else if (element.matches(EMBEDS)) {
      losses.embeds += 1;
    } else if (element.matches(CONTROLS)) {
      losses.controls += 1;
    } else if (localName === 'br' || localName === 'hr') {
      to.append(page.createElement(localName));
    } else if (localName === 'pre') {
      to.append(wrap(page.createElement('pre'), wrap(page.createElement('code'), readCode(element))));
    } else if (element instanceof HTMLTableElement) {
      appendTable(element, to, format);
    } else {
      const level = sheet.readHeading(element);
      const tag = level === undefined ? localName : `h${level}`;
      const inside = readFormat(element, style, format);
      if (isLostLink(element)) losses.links += 1;
      if (inside.isScript && !format.isScript && element.textContent.trim() !== '') losses.scripts += 1;
      if (KEPT_BLOCKS.has(tag) || element.matches(OTHER_BLOCKS)) appendBlock(element, tag, to, inside);
      else append(element.childNodes, to, inside);
    }
  }

  function appendBlock(element: Element, tag: string, to: Element, format: Format): void {
    const block = page.createElement(KEPT_BLOCKS.has(tag) ? tag : 'div');
    const start = tag === 'ol' ? Number(element.getAttribute('start') ?? 1) : 1;
    if (Number.isInteger(start) && start > 1) block.setAttribute('start', String(start));
    to.append(block);
    append(element.childNodes, block, { ...format, isInHeading: format.isInHeading || /^h\d$/.test(tag) });
  }

  /** Word writes a comment as a reference in the text and an entry in a list at the end. */
  function isComment(element: Element, style: Declarations): boolean {
    if (style.get('mso-element') === 'comment-list') return true;
    const isReference = WORD_COMMENT.test(element.className);
    if (!isReference || /\S/.test(element.textContent.replaceAll(/\[[^\]]*\]/g, ''))) return false;
    losses.comments += 1;
    return true;
  }

  function appendPicture(element: Element, to: Element, format: Format): void {
    const alt = element.getAttribute('alt') ?? '';
    const isDot = element.getAttribute('width') === '1' && element.getAttribute('height') === '1';
    if (EMOJI.test(alt)) appendText(alt, to, format);
    else if (!isDot) losses.pictures += 1;
  }

  function appendTable(table: HTMLTableElement, to: Element, format: Format): void {
    const cells = [...table.rows].flatMap((row) => [...row.cells]);
    // A table with one cell is used only for layout.
    if (cells.length <= 1) for (const cell of cells) append(cell.childNodes, to, format);
    else if (to.closest('td, th') === null) to.append(createBlock(buildTable(table).outerHTML));
    else to.append(buildTable(table));
  }

  function buildTable(table: HTMLTableElement): Element {
    const kept = page.createElement('table');
    const caption = table.caption?.textContent.trim() ?? '';
    if (caption !== '') kept.append(wrap(page.createElement('caption'), page.createTextNode(caption)));
    const keptBody = page.createElement('tbody');
    kept.append(keptBody);
    for (const row of table.rows) {
      const keptRow = page.createElement('tr');
      keptBody.append(keptRow);
      for (const cell of row.cells) keptRow.append(buildCell(cell));
    }
    return kept;
  }

  function buildCell(cell: HTMLTableCellElement): Element {
    const kept = page.createElement(cell.localName);
    if (cell.colSpan > 1) kept.setAttribute('colspan', String(cell.colSpan));
    if (cell.rowSpan > 1) kept.setAttribute('rowspan', String(cell.rowSpan));
    append(cell.childNodes, kept, { ...PLAIN, isInHeading: cell.localName === 'th' });
    tidy(kept);
    const [only] = kept.children;
    if (kept.childElementCount === 1 && only?.matches('p, div') === true) only.replaceWith(...only.childNodes);
    kept.innerHTML = kept.innerHTML.trim();
    return kept;
  }

  const root = page.createElement('div');
  append(body.childNodes, root, PLAIN);
  tidy(root);
  return { html: root.innerHTML, losses };
}

/**
 * Chromium and Safari write some spaces as no-break spaces, each in its own element. Those at the ends of the pasted text stay, because
 * the visual editor removes normal spaces there, which would join words.
 */
function restoreSpaces(body: Element): void {
  const text = body.textContent.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  const spaces = [...body.querySelectorAll('span')].filter(isReplacedSpace);
  const inside = spaces.slice(text.startsWith('\u00a0') ? 1 : 0, text.endsWith('\u00a0') ? -1 : undefined);
  for (const space of inside) space.replaceWith(' ');
}

function isReplacedSpace({ attributes, className, childElementCount, textContent }: Element): boolean {
  const isMarked = attributes.length === 0 || className === 'Apple-converted-space';
  return isMarked && childElementCount === 0 && textContent === '\u00a0';
}

function readFormat(element: Element, style: Declarations, around: Format): Format {
  const { localName } = element;
  const weight = style.get('font-weight');
  const slant = style.get('font-style');
  const lines = style.get('text-decoration-line') ?? style.get('text-decoration') ?? '';
  const address = localName === 'a' ? readAddress(element.getAttribute('href') ?? '') : undefined;
  return {
    ...around,
    isBold: weight === undefined ? around.isBold || /^(b|strong)$/.test(localName) : isHeavy(weight, around.isBold),
    isItalic:
      slant === undefined || slant === 'inherit'
        ? around.isItalic || /^(i|em)$/.test(localName)
        : /italic|oblique/.test(slant),
    isStruck: around.isStruck || /^(s|strike|del)$/.test(localName) || lines.includes('line-through'),
    isUnderlined: around.isUnderlined || localName === 'u' || lines.includes('underline'),
    isCode: around.isCode || /^(code|kbd|samp|tt)$/.test(localName),
    href: address ?? around.href,
    isScript: around.isScript || isScript(element, style),
  };
}

function isScript(element: Element, style: Declarations): boolean {
  return element.matches(SCRIPTS) || /^(super|sub)$/.test(style.get('vertical-align') ?? '');
}

function isHeavy(weight: string, isAround: boolean): boolean {
  if (/^(inherit|unset)/.test(weight)) return isAround;
  return weight.startsWith('bold') || Number.parseInt(weight, 10) >= 600;
}

function isLostLink(element: Element): boolean {
  const href = element.localName === 'a' ? element.getAttribute('href') : null;
  return href !== null && readAddress(href) === undefined && element.textContent.trim() !== '';
}

/** Undefined for links that do not work here, such as links within the original document. */
function readAddress(href: string): string | undefined {
  const url = URL.parse(href);
  if (url === null || !LINKED.has(url.protocol)) return undefined;
  const isRedirect = /^www\.google\.[a-z.]+$/.test(url.hostname) && url.pathname === '/url';
  return isRedirect ? readAddress(url.searchParams.get('q') ?? '') : href.trim();
}

/** Word writes bullets and numbers as text that is marked to be ignored. */
function isHidden(style: Declarations): boolean {
  return style.get('display') === 'none' || style.get('mso-hide') === 'all' || style.get('mso-list') === 'ignore';
}

function readCode(element: Element): Text {
  for (const line of element.querySelectorAll('br')) line.replaceWith('\n');
  return element.ownerDocument.createTextNode(element.textContent.replace(/\n$/, ''));
}

/** Removes the empty paragraphs and line breaks that other programs use as space between blocks. */
function tidy(root: Element): void {
  for (const line of root.querySelectorAll('br')) {
    const [before, after] = [findBeside(line, 'previousSibling'), findBeside(line, 'nextSibling')];
    const isAlone = before === null && after === null && line.parentElement === root;
    if (isBlock(before) || isBlock(after) || isAlone) line.remove();
  }
  for (const block of [
    ...root.querySelectorAll('p, div:not([data-galley-html]), h1, h2, h3, h4, h5, h6, li'),
  ].toReversed()) {
    if (block.textContent.trim() === '' && block.querySelector('[data-galley-html], hr') === null) block.remove();
  }
}

function findBeside(node: Node, side: 'previousSibling' | 'nextSibling'): Node | null {
  let beside = node[side];
  while (beside instanceof Text && beside.data.trim() === '') beside = beside[side];
  return beside;
}

function isBlock(node: Node | null): boolean {
  return node instanceof Element && node.matches(BLOCKS);
}

function wrap<Wrapper extends Element>(wrapper: Wrapper, node: Node): Wrapper {
  wrapper.append(node);
  return wrapper;
}
