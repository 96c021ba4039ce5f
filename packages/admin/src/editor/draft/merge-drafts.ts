// Tracks the base of a draft and its changed parts, and merges the changes with another version. If only one editor
// changed a part, that change wins; if both changed it differently, the part is in conflict.

import type { ManagedContentBody } from '@galley/wire';
import { isSame } from '../fields/field-values.ts';
import { type DraftValues, layParts, listDifferences, listParts, readDraftValues, takeParts } from './draft-values.ts';

/** The values that a draft is based on. */
export interface DraftBase {
  /** The values as they were in the form, including HTML that the service has removed. */
  readonly saved: DraftValues;
  /** The stored values, followed by values that were sent but got no response: the service may have stored those instead. */
  readonly known: readonly DraftValues[];
}

export function buildBase(content: ManagedContentBody): DraftBase {
  const values = readDraftValues(content);
  return { saved: values, known: [values] };
}

/** Of all saves without a response, only the first and the last can have been stored, because there was no connection in between. */
export function addSent({ saved, known: [stored, first] }: DraftBase, sent: DraftValues): DraftBase {
  return { saved, known: [stored, first, sent].filter((each) => each !== undefined) };
}

function listUnanswered({ known }: DraftBase): readonly DraftValues[] {
  return known.slice(1);
}

export function hasUnanswered({ known }: DraftBase): boolean {
  return known.length > 1;
}

/** Called when the newest version turns out not to include the sent values. */
export function dropUnanswered({ saved, known }: DraftBase): DraftBase {
  return { saved, known: known.slice(0, 1) };
}

/** Called when the editor goes back to the saved version while earlier saves still have no response. */
export function replaceSaved(base: DraftBase, content: ManagedContentBody): DraftBase {
  const saved = readDraftValues(content);
  return { saved, known: [saved, ...listUnanswered(base)] };
}

export interface DraftChange {
  readonly path: string;
  /** Null if the part has no value. */
  readonly mine: unknown;
  readonly known: readonly unknown[];
}

/** Includes parts that were changed back after a save without a response, because the service may have stored that save. */
export function listChanges(base: DraftBase, values: DraftValues): readonly DraftChange[] {
  const own = listParts(values);
  const others = base.known.map(listParts);
  const paths = new Set([base.saved, ...listUnanswered(base)].flatMap((each) => listDifferences(each, values)));
  return Array.from(paths, (path) => ({
    path,
    mine: own.get(path) ?? null,
    known: others.map((parts) => parts.get(path) ?? null),
  }));
}

/** Restores the values and their base. Unchanged parts come from the given version. */
export function layChanges(
  version: DraftValues,
  changes: readonly DraftChange[],
): { readonly values: DraftValues; readonly base: DraftBase } {
  const most = Math.max(1, ...changes.map(({ known }) => known.length));
  const known = Array.from({ length: most }, (_, index) =>
    layParts(
      version,
      changes.map((change) => [change.path, change.known[Math.min(index, change.known.length - 1)]] as const),
    ),
  );
  return {
    values: layParts(
      version,
      changes.map(({ path, mine }) => [path, mine] as const),
    ),
    base: { saved: known[0] ?? version, known },
  };
}

export interface ContestedPart {
  readonly path: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface MergedDraft {
  /** Conflicting parts keep this editor's values. */
  readonly values: DraftValues;
  readonly contested: readonly ContestedPart[];
  /** The base of these values. Conflicting parts keep their previous base. */
  readonly base: DraftBase;
}

export function mergeDrafts({ saved, known }: DraftBase, mine: DraftValues, theirs: DraftValues): MergedDraft {
  const [before, own, other] = [listParts(saved), listParts(mine), listParts(theirs)];
  const knownParts = known.map(listParts);
  const taken: string[] = [];
  const contested: ContestedPart[] = [];
  for (const path of new Set([...own.keys(), ...other.keys()])) {
    const [is, theirIs] = [own.get(path), other.get(path)];
    if (isSame(is, theirIs) || knownParts.some((parts) => isSame(parts.get(path), theirIs))) continue;
    if (isSame(before.get(path), is)) taken.push(path);
    else contested.push({ path, mine: is, theirs: theirIs });
  }
  const open = contested.map(({ path }) => path);
  const base =
    open.length === 0
      ? { saved: theirs, known: [theirs] }
      : { saved: takeParts(theirs, saved, open), known: known.map((each) => takeParts(theirs, each, open)) };
  return { values: takeParts(mine, theirs, taken), contested, base };
}
