// Adds an uploaded file to text: a picture, or a link to any other file.

import type { ManagedAssetBody } from '@galley/wire';

type InsertedFile = Pick<ManagedAssetBody, 'name' | 'description' | 'url' | 'is_image' | 'width' | 'height'>;

/** A position in text that may change before the file is uploaded. */
export interface Spot {
  readonly at: number;
  /** The text before the position. */
  readonly before: string;
}

interface Inserted {
  readonly text: string;
  /** The end of the new part. */
  readonly end: number;
}

/**
 * Inserts the Markdown for a file in its own paragraph.
 * @param cursor used if the text before the position has changed
 */
export function insertMarkdown(text: string, spot: Spot, cursor: number, file: InsertedFile): Inserted {
  const at = text.startsWith(spot.before) ? spot.at : cursor;
  const [head, tail] = [text.slice(0, at), text.slice(at)];
  const [before, after] = findSpacing(head, tail);
  const added = `${before}${writeFile(file)}`;
  return { text: `${head}${added}${after}${tail}`, end: head.length + added.length };
}

/** The line breaks that separate a new paragraph from the text before and after it. */
export function findSpacing(head: string, tail: string): readonly [before: string, after: string] {
  const before = /^$|\n\n$/.test(head) ? '' : head.endsWith('\n') ? '\n' : '\n\n';
  const after = tail === '' || tail.startsWith('\n\n') ? '' : tail.startsWith('\n') ? '\n' : '\n\n';
  return [before, after];
}

function writeFile({ name, description, url, is_image }: InsertedFile): string {
  const label = (is_image ? (description ?? name) : name).replaceAll(/[[\]\\]/g, '\\$&').replaceAll(/\s+/g, ' ');
  return `${is_image ? '!' : ''}[${label}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

/** The HTML for a picture. */
export function writePicture({ name, description, url, width, height }: InsertedFile): string {
  const size = width === null || height === null ? [] : [`width="${width}"`, `height="${height}"`];
  return `<p><img ${[`src="${escapeAttribute(url)}"`, `alt="${escapeAttribute(description ?? name)}"`, ...size].join(' ')}></p>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
