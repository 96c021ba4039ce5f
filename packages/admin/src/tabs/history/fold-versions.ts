// The editor saves while one writes, and every save is a version. Saves of one person that follow on each other are shown
// as one sitting. A version that readers have seen, or that brought an older one back, always stands by itself.

import type { VersionEntryBody } from '@galley/wire';

/** Versions that are shown as one entry, the newest first: several saves, or a version by itself. */
export type Sitting = readonly [VersionEntryBody, ...VersionEntryBody[]];

/** A pause that is longer ends a sitting. */
const LONGEST_PAUSE_MS = 15 * 60_000;

/** @param versions neighbours, the newest first */
export function foldVersions(versions: readonly VersionEntryBody[]): readonly Sitting[] {
  const sittings: [VersionEntryBody, ...VersionEntryBody[]][] = [];
  for (const version of versions) {
    const sitting = sittings.at(-1);
    const newer = sitting?.at(-1);
    if (sitting !== undefined && newer !== undefined && isSameSitting(newer, version)) sitting.push(version);
    else sittings.push([version]);
  }
  return sittings;
}

/** The number of the first version that was saved in a sitting. */
export function findFirstNumber([newest, ...older]: Sitting): number {
  return (older.at(-1) ?? newest).number;
}

function isSameSitting(newer: VersionEntryBody, older: VersionEntryBody): boolean {
  return (
    isPlainSave(newer) &&
    isPlainSave(older) &&
    newer.saved_by?.id === older.saved_by?.id &&
    Date.parse(newer.saved_at) - Date.parse(older.saved_at) <= LONGEST_PAUSE_MS
  );
}

/** Imports, commands and schedules are nobody's sitting. */
function isPlainSave({ saved_by: saver, was_published: wasPublished, restored_from: restored }: VersionEntryBody) {
  return typeof saver?.id === 'string' && !wasPublished && restored === null;
}
