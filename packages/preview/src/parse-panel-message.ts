// Parses a message from the panel. The caller has checked the sender's window and origin.

import { isRecord } from './is-record.ts';

/** The property that every content object has. */
export interface PreviewContent {
  readonly id: string;
}

export type PanelMessage<C extends PreviewContent> =
  | { readonly kind: 'update'; readonly content: C }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'edited'; readonly id: string; readonly path: string | null };

/** Undefined if the data is not a message for this page. */
export function parsePanelMessage<C extends PreviewContent>(data: unknown, brand: string): PanelMessage<C> | undefined {
  if (!isRecord(data)) return undefined;
  const { message, content, id, path } = data;
  if (message === `${brand}-refresh-preview`) return { kind: 'refresh' };
  if (message === `${brand}-update-content`) {
    const object = parseContent(content);
    return isContent<C>(object) ? { kind: 'update', content: object } : undefined;
  }
  const isField = typeof id === 'string' && typeof path === 'string';
  if (message !== `${brand}-edited-field` || !(isField || path === null)) return undefined;
  return { kind: 'edited', id: String(id), path };
}

function parseContent(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    // A page that copies the properties of this object must not copy a prototype.
    return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
  } catch {
    return undefined;
  }
}

function isContent<C extends PreviewContent>(value: unknown): value is C {
  return isRecord(value) && typeof value.id === 'string';
}
