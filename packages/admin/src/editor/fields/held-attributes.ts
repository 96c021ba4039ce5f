// Attributes of saved HTML that the visual editor preserves but has no tool for, such as classes and IDs. In the editor, each element holds
// them as text in a single attribute, so that saved HTML cannot take on the styles or the IDs of the panel's own page.

import { Extension } from '@tiptap/react';
import { parseHtml, writeHtml } from './parse-html.ts';

/** The service keeps these attributes on every element. Languages and directions are not held, because they apply in the editor too. */
const HOLDABLE = /^(?:class|id|title|role|aria-[\w-]+|data-(?!galley-)[\w-]+)$/;
const HELD = 'data-galley-attributes';

/** Adds the attributes to the schema of the visual editor, for all elements. */
export const HeldAttributes = Extension.create({
  name: 'heldAttributes',
  addGlobalAttributes: () => [
    {
      types: '*',
      // A new paragraph after an introduction is not another introduction.
      attributes: { [HELD]: { default: null, keepOnSplit: false }, lang: { default: null }, dir: { default: null } },
    },
  ],
});

export function holdAttributes(html: string): string {
  const body = parseHtml(html);
  // The class of code in a block is its language, which the editor knows.
  for (const element of body.querySelectorAll('*:not(pre > code)')) {
    const holder = body.ownerDocument.createElement('i');
    for (const { name, value } of [...element.attributes]) {
      if (!HOLDABLE.test(name)) continue;
      holder.setAttribute(name, value);
      element.removeAttribute(name);
    }
    if (holder.attributes.length > 0) element.setAttribute(HELD, holder.outerHTML);
  }
  return writeChildren(body);
}

/** If several elements have the same ID, only the first keeps it: when somebody splits text, the editor copies its attributes. */
export function releaseAttributes(html: string): string {
  if (!html.includes(HELD)) return html;
  const body = parseHtml(html);
  const ids = new Set<string>();
  for (const element of body.querySelectorAll(`[${HELD}]`)) {
    const holder = parseHtml(element.getAttribute(HELD) ?? '').firstElementChild;
    element.removeAttribute(HELD);
    for (const { name, value } of holder?.attributes ?? []) {
      // In pasted text, the held attributes may have any name.
      if (!HOLDABLE.test(name) || (name === 'id' && ids.has(value))) continue;
      if (name === 'id') ids.add(value);
      element.setAttribute(name, value);
    }
  }
  return writeChildren(body);
}

function writeChildren(body: Element): string {
  return Array.from(body.childNodes, writeHtml).join('');
}
