// The visual editor has no tool for some parts of a text, such as tables and pictures. Each becomes an HTML block between the
// paragraphs and is saved unchanged.

import { createDocument, getHTMLFromFragment, getSchema } from '@tiptap/react';
import { hasStyles, parseHtml, writeHtml } from './parse-html.ts';
import { HTML_SOURCE, RICH_TEXT_EXTENSIONS } from './rich-text-schema.tsx';

const SAME_ELEMENTS: Readonly<Record<string, string>> = { b: 'strong', i: 'em', del: 's', strike: 's' };
const INLINE =
  'a, abbr, b, bdi, bdo, br, cite, code, data, del, dfn, em, i, img, ins, kbd, mark, q, s, samp, small, span, strike, strong, sub, sup, time, u, var, wbr';

const SCHEMA = getSchema(RICH_TEXT_EXTENSIONS);
const BLOCK = new RegExp(`<div ${HTML_SOURCE}="[^"]*"></div>`, 'g');

/** Prepares saved HTML for the visual editor: everything its schema would drop goes into HTML blocks. */
export function holdUnknown(html: string): string {
  return listParts(html)
    .map((part) => (isKept(part) ? part : createBlock(part).outerHTML))
    .join('');
}

/** Turns the visual editor's HTML into the HTML to save. */
export function releaseUnknown(html: string): string {
  return html.replaceAll(BLOCK, readBlock);
}

export function createBlock(source: string): Element {
  const block = document.createElement('div');
  block.setAttribute(HTML_SOURCE, source);
  return block;
}

function readBlock(block: string): string {
  const { firstElementChild } = new DOMParser().parseFromString(block, 'text/html').body;
  return firstElementChild?.getAttribute(HTML_SOURCE) ?? '';
}

/** The top level of a text: each block, and each run of text between blocks. */
function listParts(html: string): readonly string[] {
  const parts: string[] = [];
  let line = '';
  const endLine = (): void => {
    if (line.trim() !== '') parts.push(line);
    line = '';
  };
  for (const node of parseHtml(html).childNodes) {
    if (!(node instanceof Element) || node.matches(INLINE)) {
      line += writeHtml(node);
      continue;
    }
    endLine();
    parts.push(writeHtml(node));
  }
  endLine();
  return parts;
}

/** Whether the schema keeps every element of a text, with its attributes. */
function isKept(html: string): boolean {
  if (hasStyles(html)) return false;
  const elements = listElements(html);
  const kept = listElements(getHTMLFromFragment(createDocument(html, SCHEMA).content, SCHEMA));
  return [...elements].every(([element, count]) => (kept.get(element) ?? 0) >= count);
}

/** Counts each element with its attributes. */
function listElements(html: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { localName, attributes } of parseHtml(html).querySelectorAll('*')) {
    const written = [...attributes].map(({ name, value }) => `${name}=${value}`).toSorted();
    const element = [SAME_ELEMENTS[localName] ?? localName, ...written].join(' ');
    counts.set(element, (counts.get(element) ?? 0) + 1);
  }
  return counts;
}
