// Goes through all that was saved under content types, step by step: between two steps others are served.

import { setImmediate as takeTurn } from 'node:timers/promises';
import { type SavedVersion, selectContentNosOfType, selectSavedVersions } from '../../storage/port.ts';
import type { Reader } from '../reader.ts';

export interface Walk {
  readonly typeNos: readonly number[];
  readonly versions: 'all' | 'current';
  /** What the JSON of the values must hold. */
  readonly text: string;
}

/** A content object with all its versions may be megabytes. */
const CONTENTS_AT_ONCE = 64;

/** Content by content: its versions that hold the text. */
export async function* walkSaved(
  run: Reader['run'],
  { typeNos, versions, text }: Walk,
): AsyncGenerator<readonly SavedVersion[]> {
  for (const typeNo of typeNos) {
    let after = 0;
    for (;;) {
      const numbers = await run(selectContentNosOfType(typeNo, after, CONTENTS_AT_ONCE));
      const last = numbers.at(-1);
      if (last === undefined) break;
      const found = await run(selectSavedVersions(numbers, versions, text));
      yield* Map.groupBy(found, ({ contentNo }) => contentNo).values();
      after = last;
      await takeTurn();
    }
  }
}
