// Optimistic locking: a change states which version it is based on. If that is no longer the newest version, the refusal says who has
// saved since, and what they changed.

import { type ComparedVersion, compareVersions } from '../../content/compare-versions.ts';
import { keepKnownValues } from '../../content/fit-values.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import { type ContentVersion, selectVersion } from '../../storage/contents/content-versions.ts';
import { selectAuthorNames } from '../../storage/contents/references.ts';
import type { Procedure } from '../../storage/statement.ts';
import { AuthoringRefusal, refuseFaults } from '../authoring-refusal.ts';
import type { Subject } from './find-content.ts';

const MOST_PATHS = 100;

export function* refuseStale(subject: Subject, seen: number): Procedure<void> {
  const { record, newest } = subject;
  if (seen === record.newestVersion) return;
  const version = yield* selectVersion(record.no, seen);
  if (version === undefined) {
    throw refuseFaults([
      {
        path: 'version',
        message: `names a version that does not exist; the newest is ${record.newestVersion}`,
        code: 'not_found',
        values: { kind: 'version', id: seen },
      },
    ]);
  }
  const saver = newest.savedBy?.name ?? 'An import';
  throw new AuthoringRefusal(
    `${saver} has since saved version ${record.newestVersion}; this change is based on version ${seen}.`,
    {
      reason: 'conflict',
      code: 'stale',
      details: {
        current_version: record.newestVersion,
        saved_by: newest.savedBy,
        saved_at: formatTimestamp(newest.savedAt),
        changed: (yield* findChangedPaths(subject, version, newest)).slice(0, MOST_PATHS),
      },
    },
  );
}

/** Returns no paths if the two versions have the same values. */
export function* findChangedPaths(
  subject: Pick<Subject, 'catalog' | 'type'>,
  before: ContentVersion,
  after: ContentVersion,
): Procedure<readonly string[]> {
  const numbers = [before.authorNo, after.authorNo].filter((no) => no !== null);
  const authors = yield* selectAuthorNames(numbers);
  const open = (version: ContentVersion): ComparedVersion => ({
    ...version,
    author: version.authorNo === null ? null : (authors.get(version.authorNo)?.id ?? null),
    fields: keepKnownValues(subject.type, version.fields, subject.catalog.typesByHandle),
  });
  return compareVersions(open(before), open(after)).map(({ path }) => path);
}
