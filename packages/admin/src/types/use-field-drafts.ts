// What is being written into the forms of fields and is not saved: the preview shows it, and leaving the page asks first.

import type { ManagedFieldBody } from '@galley/wire';
import { useCallback, useState } from 'react';
import { NEW_FIELD } from './field-draft.ts';

interface Draft {
  /** As it would be, were it saved. */
  readonly field: ManagedFieldBody;
  readonly isChanged: boolean;
}

/** @param key the id of the field, or NEW_FIELD */
export type DraftKeeper = (key: string, draft: Draft | undefined) => void;

export function useFieldDrafts() {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const keepDraft: DraftKeeper = useCallback((key, draft) => {
    setDrafts((known) => {
      const next = new Map(known);
      if (draft === undefined) next.delete(key);
      else next.set(key, draft);
      return next;
    });
  }, []);
  return { drafts, keepDraft };
}

/** The fields of a type as they would be with everything that is being written. */
export function applyDrafts(
  fields: readonly ManagedFieldBody[],
  drafts: ReadonlyMap<string, Draft>,
): readonly ManagedFieldBody[] {
  const added = drafts.get(NEW_FIELD);
  return [
    ...fields.map((field) => drafts.get(field.id)?.field ?? field),
    ...(added === undefined ? [] : [added.field]),
  ];
}
