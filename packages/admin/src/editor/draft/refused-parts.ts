// The parts of a draft that the service refused, with the values that it refused. The other parts are saved without them.

import type { Fault } from '../../api/api-error.ts';
import { type DraftValues, findPart, isSame, listDifferences, listParts } from './draft-values.ts';

type RefusedParts = ReadonlyMap<string, unknown>;

export function isAbout(refused: RefusedParts): (fault: Fault) => boolean {
  return ({ path }) => refused.has(findPart(path) ?? '');
}

/** A part that was changed since is no longer refused. */
export function dropCorrected(refused: RefusedParts, values: DraftValues): RefusedParts {
  const parts = listParts(values);
  return new Map([...refused].filter(([path, value]) => isSame(parts.get(path), value)));
}

/** Adds the parts with faults. @returns undefined if some fault is not in a changed part, so that leaving parts out cannot help */
export function setAside(
  refused: RefusedParts,
  faults: readonly Fault[],
  sent: DraftValues,
  stored: DraftValues,
): RefusedParts | undefined {
  const changed = new Set(listDifferences(stored, sent));
  const paths = faults.map(({ path }) => findPart(path) ?? '');
  if (paths.length === 0 || paths.some((path) => !changed.has(path))) return undefined;
  const parts = listParts(sent);
  return new Map([...refused, ...paths.map((path): [string, unknown] => [path, parts.get(path)])]);
}
