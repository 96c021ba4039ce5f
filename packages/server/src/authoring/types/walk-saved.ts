// Goes through all that was saved under content types, step by step: between two steps others are served.

import { setImmediate as takeTurn } from 'node:timers/promises';
import { FIRST_VERSION, type SavedVersion, selectSavedVersions, type VersionPosition } from '../../storage/port.ts';
import type { Reader } from '../reader.ts';

export interface Where {
  readonly typeNos: readonly number[];
  /** What the JSON of the values must hold. */
  readonly text: string;
}

/** A version may be a megabyte. */
const VERSIONS_AT_ONCE = 200;

/** Every version that was ever saved and holds the text, content by content. */
export function walkVersions(run: Reader['run'], where: Where): AsyncGenerator<SavedVersion> {
  return walk(run, where, 'all');
}

/** Content by content: its newest and its published version, where they hold the text. */
export async function* walkHolders(run: Reader['run'], where: Where): AsyncGenerator<readonly SavedVersion[]> {
  let held: SavedVersion[] = [];
  for await (const version of walk(run, where, 'current')) {
    if (held.length > 0 && held[0]?.contentNo !== version.contentNo) {
      yield held;
      held = [];
    }
    held.push(version);
  }
  if (held.length > 0) yield held;
}

async function* walk(
  run: Reader['run'],
  { typeNos, text }: Where,
  which: 'all' | 'current',
): AsyncGenerator<SavedVersion> {
  for (const typeNo of typeNos) {
    let after: VersionPosition | null = FIRST_VERSION;
    while (after !== null) {
      const stretch: Awaited<ReturnType<typeof readStretch>> = await readStretch(run, typeNo, which, text, after);
      yield* stretch.versions;
      after = stretch.next;
      await takeTurn();
    }
  }
}

function readStretch(
  run: Reader['run'],
  typeNo: number,
  which: 'all' | 'current',
  text: string,
  after: VersionPosition,
) {
  return run(selectSavedVersions(typeNo, which, text, after, VERSIONS_AT_ONCE));
}
