// Parses HTML into a document that runs no scripts and loads nothing. The content security policy blocks inline styles even there,
// and the browser logs an error for each. So style attributes and elements are renamed for parsing, and renamed back for output.

const TAG = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi;
const STYLE_ATTRIBUTE = /(?<=[\s"'])style(?=\s*=)/gi;
const HELD_STYLE = 'data-galley-style';
const STYLE_ELEMENT = /<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi;
const STYLE_TAG = /(?<=<\/?)style(?=[\s>])/gi;
export const HELD_STYLE_ELEMENT = 'galley-style';

/** @returns the body of the document */
export function parseHtml(html: string): HTMLElement {
  const held = html
    .replaceAll(STYLE_TAG, HELD_STYLE_ELEMENT)
    .replaceAll(TAG, (tag) => tag.replaceAll(STYLE_ATTRIBUTE, HELD_STYLE));
  return new DOMParser().parseFromString(held, 'text/html').body;
}

/** The HTML of a node that `parseHtml` parsed. */
export function writeHtml(node: Node): string {
  const holder = node.ownerDocument?.createElement('div') ?? document.createElement('div');
  holder.append(node.cloneNode(true));
  return holder.innerHTML.replaceAll(HELD_STYLE, 'style').replaceAll(HELD_STYLE_ELEMENT, 'style');
}

/** With any other parser, the browser logs an error for each style. */
export function hasStyles(html: string): boolean {
  return parseHtml(html).querySelector(`[${HELD_STYLE}], ${HELD_STYLE_ELEMENT}`) !== null;
}

export function readStyleSheet(html: string): string {
  return Array.from(html.matchAll(STYLE_ELEMENT), ([, text = '']) => text).join('\n');
}

/** Counts the occurrences of each element, such as `<p>`, and each attribute, such as `style`, in the HTML. */
export function listHtmlParts(html: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (part: string): unknown => counts.set(part, (counts.get(part) ?? 0) + 1);
  for (const { localName, attributes } of parseHtml(html).querySelectorAll('*')) {
    count(`<${localName.replace(HELD_STYLE_ELEMENT, 'style')}>`);
    for (const { name } of attributes) count(name.replace(HELD_STYLE, 'style'));
  }
  return counts;
}

export type Declarations = ReadonlyMap<string, string>;

/** The declarations in an element's style attribute, in lower case. */
export function readStyle(element: Element): Declarations {
  return parseDeclarations(element.getAttribute(HELD_STYLE) ?? '');
}

export function parseDeclarations(text: string): Declarations {
  const declarations = new Map<string, string>();
  for (const declaration of text.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0) declarations.set(declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim());
  }
  return declarations;
}
