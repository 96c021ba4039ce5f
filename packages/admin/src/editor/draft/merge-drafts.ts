// What a draft was made from, which parts it changed, and how these changes are merged with another version. A part that
// only one editor changed is taken from that one; a part that both changed differently is contested.

import type { ManagedContentBody } from '@galley/wire';
import { isSame } from '../fields/field-values.ts';
import { type DraftValues, layParts, listDifferences, listParts, readDraftValues, takeParts } from './draft-values.ts';

/** What a text was made from. */
export interface DraftBase {
  /** As the form had it, including HTML that the service has removed. */
  readonly saved: DraftValues;
  /** First as the service has it, then what was sent without an answer: the service may have stored that instead. */
  readonly known: readonly DraftValues[];
}

export function buildBase(content: ManagedContentBody): DraftBase {
  const values = readDraftValues(content);
  return { saved: values, known: [values] };
}

/** Of what was sent without an answer, the first and the last may be stored: between them there was no connection. */
export function addSent({ saved, known: [stored, first] }: DraftBase, sent: DraftValues): DraftBase {
  return { saved, known: [stored, first, sent].filter((each) => each !== undefined) };
}

function listUnanswered({ known }: DraftBase): readonly DraftValues[] {
  return known.slice(1);
}

export function hasUnanswered({ known }: DraftBase): boolean {
  return known.length > 1;
}

/** For a version that turned out not to hold what was sent. */
export function dropUnanswered({ saved, known }: DraftBase): DraftBase {
  return { saved, known: known.slice(0, 1) };
}

/** For a text that starts again from the saved version, while earlier saves are still unanswered. */
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

/** Includes parts that were changed back after a save that was never answered: the service may have stored that save. */
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

/** The values and their base as they were. Parts that were not changed are those of the version. */
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
  /** Contested parts are mine. */
  readonly values: DraftValues;
  readonly contested: readonly ContestedPart[];
  /** What these values are made from. Contested parts keep the base they had before. */
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
