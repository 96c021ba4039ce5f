// Content versions. Every save creates a version, which is kept as long as the content exists.

import type { ComparisonBody, RestoredVersionBody, VersionBody, VersionEntryBody, VersionListBody } from '@galley/wire';
import { z } from 'zod';
import type { ContentAddress } from '../../authoring/contents/publish-content.ts';
import {
  readComparison,
  readVersion,
  readVersionPage,
  type VersionPage,
} from '../../authoring/versions/read-versions.ts';
import { type RestoredVersion, restoreVersion } from '../../authoring/versions/restore-version.ts';
import { strictMembers } from '../../content/schema-members.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import type { StoredContentRecord } from '../../storage/contents/content-records.ts';
import type { VersionEntry, WholeVersion } from '../../storage/contents/content-versions.ts';
import { countParameter, pageParameters } from '../parameters.ts';
import { defineRoute, type Route } from '../route.ts';
import { saverBody, versionMember } from './content-bodies.ts';

const entryMembers = {
  number: z.int().describe('Starts at 1 for each content object.'),
  name: z.string().describe('The name of the content in this version.'),
  saved_at: z.string(),
  saved_by: saverBody.nullable().describe('Null for an import.'),
  is_newest: z.boolean(),
  is_published: z.boolean().describe('Whether this version is published now.'),
  was_published: z.boolean().describe('Whether this version is published now or was published earlier.'),
  restored_from: z
    .int()
    .nullable()
    .describe('The number of the older version that was restored as this one; null if none was.'),
};

const versionListBody: z.ZodType<VersionListBody> = z
  .strictObject({
    data: z.array(z.strictObject(entryMembers).meta({ id: 'VersionEntry' })),
    next_before: z.int().nullable().describe('The value of `before` for the next page; null on the last page.'),
  })
  .meta({ id: 'VersionList' });

const versionBody: z.ZodType<VersionBody> = z
  .strictObject({
    ...entryMembers,
    slug: z.string(),
    uri: z.string().nullable().describe('Null if it follows the content type’s pattern.'),
    author: z.string().nullable().describe('The id of the author.'),
    seo: z.record(z.string(), z.unknown()).describe('As in a bundle, with every property; unset ones are null.'),
    fields: z
      .record(z.string(), z.unknown())
      .describe('Values by handle, as in a bundle; fields without a value are omitted.'),
  })
  .meta({ id: 'Version' });

const changeBody = z.strictObject({ path: z.string(), before: z.unknown(), after: z.unknown() }).meta({ id: 'Change' });

const comparisonBody: z.ZodType<ComparisonBody> = z
  .strictObject({ from: z.int(), to: z.int(), changes: z.array(changeBody) })
  .meta({ id: 'Comparison' });

const leftOutBody = z.strictObject({ path: z.string(), message: z.string() });

const restoredVersionBody: z.ZodType<RestoredVersionBody> = z
  .strictObject({
    version: z.int().describe('The new version with the old values, or the newest version if nothing has changed.'),
    left_out: z
      .array(leftOutBody)
      .describe('Values in the old version that are no longer valid, each with its path and the reason.'),
  })
  .meta({ id: 'RestoredVersion' });

function renderEntry(record: StoredContentRecord, version: VersionEntry): VersionEntryBody {
  const { number, name, savedAt, savedBy, wasPublished, restoredFrom } = version;
  const isPublished = number === record.publishedVersion;
  return {
    number,
    name,
    saved_at: formatTimestamp(savedAt),
    saved_by: savedBy === null ? null : { id: savedBy.id, name: savedBy.name },
    is_newest: number === record.newestVersion,
    is_published: isPublished,
    was_published: wasPublished || isPublished,
    restored_from: restoredFrom,
  };
}

function renderVersion(record: StoredContentRecord, version: WholeVersion): VersionBody {
  const { slug, uri, author, seo, fields } = version;
  return { ...renderEntry(record, version), slug, uri, author, seo: { ...seo }, fields };
}

const MOST_NUMBER = 999_999_999;

const versionQuery = strictMembers('the query', {
  limit: pageParameters.limit,
  before: countParameter(MOST_NUMBER).optional(),
});

function readAddress(path: Readonly<Record<string, string>>): ContentAddress {
  return { siteId: path.site ?? '', contentId: path.content ?? '' };
}

function renderPage({ record, entries, hasMore }: VersionPage): VersionListBody {
  return {
    data: entries.map((entry) => renderEntry(record, entry)),
    next_before: hasMore ? (entries.at(-1)?.number ?? null) : null,
  };
}

function renderRestored({ version, leftOut }: RestoredVersion): RestoredVersionBody {
  return { version, left_out: leftOut.map((fault) => ({ path: fault.path, message: fault.message })) };
}

export const VERSION_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listVersions',
    method: 'GET',
    path: '/sites/{site}/content/{content}/versions',
    who: 'member',
    tag: 'Versions',
    summary: 'List the versions of a content object',
    description: 'Newest first. `before` is a version number: the page contains only older versions.',
    query: versionQuery,
    status: 200,
    answer: versionListBody,
    refusals: [404, 422],
    run: async ({ desk, actor, path, query }) =>
      renderPage(await desk.storage.read(readVersionPage(actor, readAddress(path), query.before, query.limit))),
  }),
  defineRoute({
    operationId: 'getVersion',
    method: 'GET',
    path: '/sites/{site}/content/{content}/versions/{number}',
    who: 'member',
    tag: 'Versions',
    summary: 'Read a version',
    status: 200,
    answer: versionBody,
    refusals: [404],
    run: async ({ desk, actor, path }) => {
      const procedure = readVersion(actor, readAddress(path), path.number ?? '');
      const { record, version } = await desk.storage.read(procedure);
      return renderVersion(record, version);
    },
  }),
  defineRoute({
    operationId: 'compareVersions',
    method: 'GET',
    path: '/sites/{site}/content/{content}/versions/{from}/compare/{to}',
    who: 'member',
    tag: 'Versions',
    summary: 'Compare two versions',
    description:
      'Returns every value that differs, with its path. Lists and blocks are compared by position, and text values ' +
      'as a whole. A block that was replaced with one of a different type counts as one change.',
    status: 200,
    answer: comparisonBody,
    refusals: [404],
    run: ({ desk, actor, path }) =>
      desk.storage.read(readComparison(actor, readAddress(path), path.from ?? '', path.to ?? '')),
  }),
  defineRoute({
    operationId: 'restoreVersion',
    method: 'POST',
    path: '/sites/{site}/content/{content}/versions/{number}/restore',
    who: 'member',
    tag: 'Versions',
    summary: 'Restore a version as a new one',
    description:
      'Saves the values of the version as a new version; the published version does not change. `version` is the newest ' +
      'version that you have seen: if somebody has saved since, nothing happens. Values that are no longer valid are ' +
      'left out and listed.',
    body: strictMembers('the body', { version: versionMember }),
    changes: '/sites/{site}/content/{content}',
    status: 200,
    answer: restoredVersionBody,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body }) => {
      const restored = await restoreVersion(desk, actor, readAddress(path), path.number ?? '', body.version);
      return renderRestored(restored);
    },
  }),
];
