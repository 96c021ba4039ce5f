// A draft as the parts that were changed in it, each with what it was laid over. Laid over a newer version, a part is mine
// where that version still has what I have seen there, and contested where it has not.

import type { DraftBase } from './draft-base.ts';
import { type DraftValues, layParts, listDifferences, listParts } from './draft-values.ts';

export interface DraftChange {
  readonly path: string;
  /** Null where the part has no value. */
  readonly mine: unknown;
  readonly known: readonly unknown[];
}

export function listChanges({ saved, known }: DraftBase, values: DraftValues): readonly DraftChange[] {
  const own = listParts(values);
  const others = known.map(listParts);
  return listDifferences(saved, values).map((path) => ({
    path,
    mine: own.get(path) ?? null,
    known: others.map((parts) => parts.get(path) ?? null),
  }));
}

/** The values and their base as they were, but that the parts which were not changed are those of the version. */
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
