// The database itself: whether it opens, has the schema of this release, and is whole.

import { PROGRAM } from '../program-name.ts';
import type { Consistency, FileInspection } from '../storage/port.ts';
import { SCHEMA_VERSION, selectConsistency, selectCurrentVersion } from '../storage/port.ts';
import { type Check, type CheckParts, ok, problem, warn } from './check.ts';

export interface DatabaseChecks {
  readonly checks: readonly Check[];
  /** Undefined where the schema is another one. */
  readonly counts: Consistency | undefined;
}

/** A schedule is late when a running service would have carried it out long ago. */
export const LATE_MS = 60_000;
const RESTORE = `Restore the newest backup that passes: GALLEY_DATABASE_URL=sqlite:BACKUP ${PROGRAM} doctor`;

export function checkDatabase(inspection: FileInspection, now: number): DatabaseChecks {
  const check = (name: string, parts: CheckParts): Check => ({ group: 'Database', name, ...parts });
  const damage = inspection.findDamage();
  const integrity = damage === undefined ? ok('every page is whole') : problem(`damaged: ${damage}`, RESTORE);
  const { parts: schema, isCurrent } = checkSchema(inspection);
  const checks = [
    check('integrity', integrity),
    check('references', checkReferences(inspection, damage)),
    check('schema', schema),
    check('journal', checkJournal(inspection.journalMode)),
  ];
  const isReadable = isCurrent && damage === undefined;
  return { checks, counts: isReadable ? inspection.read(selectConsistency(now, now - LATE_MS)) : undefined };
}

function checkReferences(inspection: FileInspection, damage: string | undefined): CheckParts {
  if (damage !== undefined) return warn('not looked at, since the file is damaged', RESTORE);
  const count = inspection.countDeadReferences();
  if (count === 0) return ok('every row that another one refers to is there');
  return problem(
    count === 1 ? '1 row refers to a row that is not there' : `${count} rows refer to rows that are not there`,
    RESTORE,
  );
}

function checkSchema(inspection: FileInspection): { readonly parts: CheckParts; readonly isCurrent: boolean } {
  const version = readVersion(inspection);
  if (version === undefined) {
    const parts = problem(
      'this is no database of Galley, or an empty one',
      'Set GALLEY_DATABASE_URL to the right file.',
    );
    return { parts, isCurrent: false };
  }
  return describeVersion(version, `${PROGRAM} backup FILE`);
}

/** @param backup the command that makes a backup */
export function describeVersion(
  version: number,
  backup: string,
): { readonly parts: CheckParts; readonly isCurrent: boolean } {
  if (version === SCHEMA_VERSION) return { parts: ok(`version ${version}, as this release needs it`), isCurrent: true };
  const message = `version ${version}; this release has ${SCHEMA_VERSION}`;
  const parts =
    version > SCHEMA_VERSION
      ? problem(message, 'Use the release that wrote it, or a newer one.')
      : warn(message, `The next start brings it up to date; make a backup first: ${backup}`);
  return { parts, isCurrent: false };
}

/** Undefined where the table of versions is missing. */
function readVersion(inspection: FileInspection): number | undefined {
  try {
    return inspection.read(selectCurrentVersion());
  } catch {
    return undefined;
  }
}

function checkJournal(mode: string): CheckParts {
  return ok(
    mode === 'wal' ? 'write-ahead log: readers never wait' : `${mode}; the next start turns the write-ahead log on`,
  );
}
