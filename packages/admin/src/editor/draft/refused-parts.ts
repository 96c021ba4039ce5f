// Remembers the parts of a draft that the service refused, so that the others can be saved without them.

import type { Fault } from '../../api/api-error.ts';
import { type DraftValues, findPart, isSame, listDifferences, listParts, takeParts } from './draft-values.ts';

export function createRefusedParts() {
  let refused: ReadonlyMap<string, unknown> = new Map();
  return {
    list: (): readonly string[] => [...refused.keys()],
    isAbout: ({ path }: Fault): boolean => refused.has(findPart(path) ?? ''),
    /** The values with these parts as they are stored. A part that was changed since is not refused any more. */
    leaveOut(values: DraftValues, stored: DraftValues): DraftValues {
      const parts = listParts(values);
      refused = new Map([...refused].filter(([path, value]) => isSame(parts.get(path), value)));
      return takeParts(values, stored, refused.keys());
    },
    /** @returns whether the rest can be saved without what is wrong */
    setAside(faults: readonly Fault[], sent: DraftValues, stored: DraftValues): boolean {
      const changed = new Set(listDifferences(stored, sent));
      const paths = faults.map(({ path }) => findPart(path) ?? '');
      if (paths.length === 0 || paths.some((path) => !changed.has(path))) return false;
      const parts = listParts(sent);
      refused = new Map([...refused, ...paths.map((path): [string, unknown] => [path, parts.get(path)])]);
      return true;
    },
    clear(): void {
      refused = new Map();
    },
  };
}
