// Reads versions: the list of all versions, a single version, and the differences between two.

import { type Change, compareVersions } from '../../content/compare-versions.ts';
import type { StoredContentRecord } from '../../storage/contents/content-records.ts';
import {
  selectVersions,
  selectWholeVersion,
  type VersionEntry,
  type WholeVersion,
} from '../../storage/contents/content-versions.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Actor } from '../actor.ts';
import { refuseAbsent } from '../authoring-refusal.ts';
import { selectOwnRecord } from '../contents/find-content.ts';
import type { ContentAddress } from '../contents/publish-content.ts';

export interface VersionPage {
  readonly record: StoredContentRecord;
  readonly entries: readonly VersionEntry[];
  readonly hasMore: boolean;
}

export function* readVersionPage(
  actor: Actor,
  { siteId, contentId }: ContentAddress,
  before: number | undefined,
  limit: number,
): Procedure<VersionPage> {
  const record = yield* selectOwnRecord(actor, siteId, contentId);
  const found = yield* selectVersions(record.no, before, limit + 1);
  return { record, entries: found.slice(0, limit), hasMore: found.length > limit };
}

export function* readVersion(
  actor: Actor,
  { siteId, contentId }: ContentAddress,
  number: string,
): Procedure<{ readonly record: StoredContentRecord; readonly version: WholeVersion }> {
  const record = yield* selectOwnRecord(actor, siteId, contentId);
  return { record, version: yield* selectNumbered(record, number) };
}

export function* readComparison(
  actor: Actor,
  { siteId, contentId }: ContentAddress,
  fromNumber: string,
  toNumber: string,
): Procedure<{ readonly from: number; readonly to: number; readonly changes: readonly Change[] }> {
  const record = yield* selectOwnRecord(actor, siteId, contentId);
  const from = yield* selectNumbered(record, fromNumber);
  const to = yield* selectNumbered(record, toNumber);
  return { from: from.number, to: to.number, changes: compareVersions(from, to) };
}

const NUMBER = /^[1-9]\d{0,8}$/;

/** @param number the version number from the path; anything that is not a number is reported as not found */
export function* selectNumbered(record: StoredContentRecord, number: string): Procedure<WholeVersion> {
  const version = NUMBER.test(number) ? yield* selectWholeVersion(record.no, Number(number)) : undefined;
  if (version === undefined) throw refuseAbsent(`Content ${record.id} has no version ${number.slice(0, 20)}.`);
  return version;
}
