// Word writes a list as paragraphs, and Word for the web writes each entry as a list of its own. Both note the level of each
// line, from which nested lists are built.

import { readStyle } from './parse-html.ts';

interface ListLine {
  readonly element: Element;
  readonly level: number;
  readonly isNumbered: boolean;
  readonly start: number;
  readonly content: Iterable<Node>;
}

const IN_WORD = /\bl\d+\s+level(\d+)/;
const NUMBER = /^\(?(?:(\d+)|[a-z]{1,4})[.)]/i;

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

/** The bullet or number that Word puts before the line for programs without lists. */
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
