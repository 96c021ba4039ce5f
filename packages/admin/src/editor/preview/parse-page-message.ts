// Parses the messages that a previewed page posts. The page may be hostile, so nothing but these messages reaches the panel. The caller has
// checked the sender's window and origin.

import { isRecord } from '../fields/field-values.ts';

/** A field of a content object, or of an asset. */
export interface PageField {
  /** The ID of the content or asset. */
  readonly id: string;
  /** Such as `fields.body.blocks[0].fields.text`. */
  readonly path: string;
}

export type PageMessage =
  /** The page shows updates. */
  | { readonly kind: 'live' }
  /** The page is mounted, or has answered a message. */
  | { readonly kind: 'loaded' }
  /** Whether updates should contain marks. */
  | { readonly kind: 'marks'; readonly marks: boolean }
  /** The editor clicked a field. */
  | ({ readonly kind: 'edit' } & PageField);

const LONGEST_PATH = 1_000;
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const PATH = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*|\[\d{1,6}\])*$/;

/** Returns undefined if the data is not a message for the panel. */
export function parsePageMessage(data: unknown, brand: string): PageMessage | undefined {
  if (data === 'live-preview-enabled' || data === 'live-preview-init') return { kind: 'live' };
  if (data === 'loaded') return { kind: 'loaded' };
  if (!isRecord(data)) return undefined;
  const { message, marks, id, path } = data;
  if (message === `${brand}-live-preview` && typeof marks === 'boolean') return { kind: 'marks', marks };
  if (message !== `${brand}-edit-field` || !isId(id) || !isFieldPath(path)) return undefined;
  return { kind: 'edit', id, path };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** Whether a value can be the path of a field. */
export function isFieldPath(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_PATH && PATH.test(value);
}
