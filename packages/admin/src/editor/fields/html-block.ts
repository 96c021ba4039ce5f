// HTML blocks in the text of the visual editor. An attribute stores the source, so that the source is never turned into page elements.

/** The attribute that stores the source. */
export const HTML_SOURCE = 'data-galley-html';
const BLOCK = new RegExp(`<div ${HTML_SOURCE}="[^"]*"[^>]*></div>`, 'g');

export function createBlock(source: string): Element {
  const block = document.createElement('div');
  block.setAttribute(HTML_SOURCE, source);
  return block;
}

/** Replaces each block with its source. */
export function releaseBlocks(html: string): string {
  return html.replaceAll(BLOCK, readBlock);
}

function readBlock(block: string): string {
  const { firstElementChild } = new DOMParser().parseFromString(block, 'text/html').body;
  return firstElementChild?.getAttribute(HTML_SOURCE) ?? '';
}
