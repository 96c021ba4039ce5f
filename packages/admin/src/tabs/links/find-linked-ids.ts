// Finds the content that a version links to, including links in blocks. Returns each ID once, with the fields that contain it.

import type { ManagedTypeBody } from '@galley/wire';
import { type FieldValues, readBlocks, readItems } from '../../editor/fields/field-values.ts';

export interface LinkedId {
  readonly id: string;
  /** The names of the top-level fields that contain the link. */
  readonly fields: readonly string[];
}

export function findLinkedIds(values: FieldValues, type: ManagedTypeBody | undefined): readonly LinkedId[] {
  const found = new Map<string, Set<string>>();
  for (const [handle, value] of Object.entries(values)) {
    const name = type?.fields.find((field) => field.handle === handle)?.name ?? handle;
    for (const id of listIds(value)) found.set(id, (found.get(id) ?? new Set()).add(name));
  }
  return [...found].map(([id, fields]) => ({ id, fields: [...fields] }));
}

function listIds(value: unknown): readonly string[] {
  const inBlocks = readBlocks(value).flatMap(({ fields }) => Object.values(fields).flatMap(listIds));
  return [...readItems(value, 'content_links'), ...inBlocks];
}
