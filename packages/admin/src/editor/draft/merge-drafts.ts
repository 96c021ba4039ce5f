// Two editors began with the same version. What only one of them changed is taken from that one; what both changed, and
// not alike, is contested.

import { type DraftValues, isSame, listParts, takeParts } from './draft-values.ts';

export interface ContestedPart {
  readonly path: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface MergedDraft {
  /** Contested parts are as I have them. */
  readonly values: DraftValues;
  readonly contested: readonly ContestedPart[];
}

export function mergeDrafts(base: DraftValues, mine: DraftValues, theirs: DraftValues): MergedDraft {
  const [before, own, other] = [listParts(base), listParts(mine), listParts(theirs)];
  const taken: string[] = [];
  const contested: ContestedPart[] = [];
  for (const path of new Set([...own.keys(), ...other.keys()])) {
    const [was, is, theirIs] = [before.get(path), own.get(path), other.get(path)];
    if (isSame(was, theirIs) || isSame(is, theirIs)) continue;
    if (isSame(was, is)) taken.push(path);
    else contested.push({ path, mine: is, theirs: theirIs });
  }
  return { values: takeParts(mine, theirs, taken), contested };
}
