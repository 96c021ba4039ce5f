// Validators: they change whenever the bytes of an answer do, and are made of what the bytes are made of, without
// reading them. Whatever rendering joins in must be represented here: the saved bodies by their digests; authors, types,
// fields, assets and the site by the version of its catalog; linked content by its digests and by what of it is visible.

import { hash } from 'node:crypto';
import type { Related } from '../content/render-content.ts';
import type { ContentRow } from '../storage/port.ts';

/** Moves when a release renders the same content as other bytes: what clients hold from before must not be confirmed. */
const RENDERING = '-1';

/** @param frame what stands around the objects */
export function buildValidator(
  rows: readonly ContentRow[],
  related: Related,
  catalogVersion: number,
  frame: string,
): string {
  const version = catalogVersion.toString(36) + RENDERING;
  const [only] = rows;
  const hasLinks = related.links.size > 0;
  if (rows.length === 1 && only !== undefined && !hasLinks) return `${only.body.digest}-${version}`;
  let text = `${version} ${frame}`;
  for (const row of rows) text += ` ${row.body.digest}`;
  for (const [id, row] of related.links) text += ` ${id}=${row.body.digest}`;
  for (const id of related.visibleIds) text += ` ${id}`;
  return hash('sha256', text, 'base64url').slice(0, 22);
}
