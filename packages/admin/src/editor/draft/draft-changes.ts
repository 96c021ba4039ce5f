// A draft as the parts that were changed in it, each with the values it replaced. Laid over a newer version, a part is mine
// if that version still has one of those values, and contested if it has not.

import { type DraftBase, listUnanswered } from './draft-base.ts';
import { type DraftValues, layParts, listDifferences, listParts } from './draft-values.ts';

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
