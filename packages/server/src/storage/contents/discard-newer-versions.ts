// Throws away what is newer than the published version. The published version is kept once more as the newest one, with the
// time that it was saved at, so nothing that readers get changes: their read model is not touched.

import type { Lifecycle } from '../../content/lifecycle.ts';
import { showDraft } from '../publication/show-content.ts';
import type { Procedure } from '../statement.ts';
import { type StoredContentRecord, updateRecord } from './content-records.ts';
import { keepAssetUses } from './content-uses.ts';
import {
  type ContentVersion,
  encodeVersion,
  insertVersions,
  type Saver,
  selectVersion,
  updatePublishedMark,
  updateRestoredMark,
} from './content-versions.ts';

/**
 * @param record of published content that has a newer version
 * @param life what the lifecycle has made of it: its newest version, a new one, is the published one
 */
export function* discardNewerVersions(
  record: StoredContentRecord,
  life: Lifecycle,
  savedBy: Saver,
  now: number,
): Procedure<{ readonly record: StoredContentRecord; readonly newest: ContentVersion }> {
  const { no, publishedVersion } = record;
  const published = publishedVersion === null ? undefined : yield* selectVersion(no, publishedVersion);
  if (publishedVersion === null || published === undefined) throw new Error(`Nothing of ${record.id} is published`);
  const newest = { ...published, savedBy };
  const { slug, name, authorNo, savedAt: updatedAt } = newest;
  const next: StoredContentRecord = { ...record, ...life, slug, name, authorNo, updatedAt, sourceDigest: null };
  yield* updateRecord(record, next);
  yield* insertVersions([encodeVersion(no, next.newestVersion, newest)]);
  yield* updateRestoredMark(no, next.newestVersion, publishedVersion);
  yield* updatePublishedMark(no, publishedVersion);
  yield* showDraft(next, null, now);
  yield* keepAssetUses(next, 'newest', []);
  return { record: next, newest };
}
