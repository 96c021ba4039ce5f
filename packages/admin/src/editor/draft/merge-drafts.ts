// Merges the texts of two editors who began with the same version. A part that only one of them changed is taken from that
// one; a part that both changed differently is contested.

import type { DraftBase } from './draft-base.ts';
import { type DraftValues, isSame, listParts, takeParts } from './draft-values.ts';

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
