// Which content the values of a version link to, in blocks too: each id once, with the field of the content that has it.

import type { ManagedTypeBody } from '@galley/wire';
import { isObject, listBlocks, listTexts, type Values } from './field-values.ts';

export interface LinkedId {
  readonly id: string;
  /** The names of the fields of the content itself in which it stands. */
  readonly fields: readonly string[];
}

export function findLinkedIds(values: Values, type: ManagedTypeBody | undefined): readonly LinkedId[] {
  const found = new Map<string, Set<string>>();
  for (const [handle, value] of Object.entries(values)) {
    const name = type?.fields.find((field) => field.handle === handle)?.name ?? handle;
    for (const id of listIds(value)) found.set(id, (found.get(id) ?? new Set()).add(name));
  }
  return [...found].map(([id, fields]) => ({ id, fields: [...fields] }));
}

function listIds(value: unknown): readonly string[] {
  if (!isObject(value)) return [];
  const inBlocks = listBlocks(value.blocks).flatMap(({ fields }) => Object.values(fields).flatMap(listIds));
  return [...listTexts(value.content_links), ...inBlocks];
}
