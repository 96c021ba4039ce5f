// The versions of content: every save is one, and none is ever lost.

import type { RestoredVersionBody, VersionListBody } from '@galley/wire';
import type { ContentAddress } from '../../authoring/contents/publish-content.ts';
import {
  readComparison,
  readVersion,
  readVersionPage,
  type VersionPage,
} from '../../authoring/versions/read-versions.ts';
import { type RestoredVersion, restoreVersion } from '../../authoring/versions/restore-version.ts';
import { strictMembers } from '../../content/schema-members.ts';
import { versionMember } from '../content/content-bodies.ts';
import { countParameter } from '../count-parameter.ts';
import { pageParameters } from '../page.ts';
import { defineRoute, type Route } from '../route.ts';
import { renderEntry, renderVersion } from './render-version.ts';
import { comparisonBody, restoredVersionBody, versionBody, versionListBody } from './version-bodies.ts';

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
    method: 'GET',
    path: '/sites/{site}/content/{content}/versions',
    who: 'member',
    tag: 'Versions',
    summary: 'List the versions of a content object',
    description: 'The newest first. `before` is the number of a version that the page ends before.',
    query: versionQuery,
    status: 200,
    answer: versionListBody,
    refusals: [404, 422],
    run: async ({ desk, actor, path, query }) =>
      renderPage(await desk.storage.read(readVersionPage(actor, readAddress(path), query.before, query.limit))),
  }),
  defineRoute({
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
    method: 'GET',
    path: '/sites/{site}/content/{content}/versions/{from}/compare/{to}',
    who: 'member',
    tag: 'Versions',
    summary: 'Compare two versions',
    description:
      'Every value that differs, with its path. Lists and blocks are compared by position, texts as a whole; a block ' +
      'that gave way to one of another type is one change.',
    status: 200,
    answer: comparisonBody,
    refusals: [404],
    run: ({ desk, actor, path }) =>
      desk.storage.read(readComparison(actor, readAddress(path), path.from ?? '', path.to ?? '')),
  }),
  defineRoute({
    method: 'POST',
    path: '/sites/{site}/content/{content}/versions/{number}/restore',
    who: 'member',
    tag: 'Versions',
    summary: 'Restore a version',
    description:
      'Saves the values of the version as a new one; what is published stays. `version` is the newest version that you ' +
      'know: where somebody has saved since, nothing happens. Values that have no place any more are left out and named.',
    body: strictMembers('a restore', { version: versionMember }),
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
