// The editor saves while people are typing, and every save creates a version. Consecutive saves by one person are shown as one editing
// session. A version that was published, or that restored an older one, is always shown alone.

import type { VersionEntryBody } from '@galley/wire';

/** Versions that are shown as one entry, newest first: several saves, or a single version. */
export type Sitting = readonly [VersionEntryBody, ...VersionEntryBody[]];

/** A longer pause ends a session. */
const LONGEST_PAUSE_MS = 15 * 60_000;

/** @param versions consecutive versions, newest first */
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

/** The number of the first version that was saved in a session. */
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

/** Imports, commands and schedules do not belong to a session. */
function isPlainSave({ saved_by: saver, was_published: wasPublished, restored_from: restored }: VersionEntryBody) {
  return typeof saver?.id === 'string' && !wasPublished && restored === null;
}
