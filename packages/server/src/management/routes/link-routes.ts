// The links to a content object. Editors can check them before they unpublish or archive the object.

import type { BacklinkBody, BacklinkListBody } from '@galley/wire';
import { z } from 'zod';
import type { Actor } from '../../authoring/actor.ts';
import { selectOwnRecord } from '../../authoring/contents/find-content.ts';
import { CONTENT_STATES, findState } from '../../content/lifecycle.ts';
import { strictMembers } from '../../content/schema-members.ts';
import { type BacklinkRow, countBacklinks, selectBacklinks } from '../../storage/contents/content-uses.ts';
import type { Procedure } from '../../storage/statement.ts';
import { pageParameters } from '../parameters.ts';
import { defineRoute, type Route } from '../route.ts';

const backlinkBody = z.strictObject({
  id: z.string(),
  name: z.string(),
  content_type: z.string().describe('The handle of its content type.'),
  state: z.enum(CONTENT_STATES),
  language: z.string(),
  is_public: z.boolean().describe('Whether readers see the link. If false, only the newest saved version contains it.'),
});

const backlinkListBody: z.ZodType<BacklinkListBody> = z
  .strictObject({
    data: z.array(backlinkBody.meta({ id: 'Backlink' })).describe('Newest content first, up to the limit.'),
    total: z.int().describe('The total number of content objects that link here.'),
  })
  .meta({ id: 'BacklinkList' });

function renderBacklink({ id, name, type, language, status, is_public, ...row }: BacklinkRow): BacklinkBody {
  const state = findState({ status, newestVersion: row.newest_version, publishedVersion: row.published_version });
  return { id, name, content_type: type, state, language, is_public: is_public === 1 };
}

/** Reads the list and the total from a single snapshot. */
function* selectLinks(actor: Actor, siteId: string, contentId: string, limit: number): Procedure<BacklinkListBody> {
  const { siteNo, id } = yield* selectOwnRecord(actor, siteId, contentId);
  const rows = yield* selectBacklinks(siteNo, id, { isPublishedOnly: false, limit });
  const total = yield* countBacklinks(siteNo, id, { isPublishedOnly: false });
  return { data: rows.map(renderBacklink), total };
}

export const LINK_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listBacklinks',
    method: 'GET',
    path: '/sites/{site}/content/{content}/links',
    who: 'member',
    tag: 'Content',
    summary: 'List the links to a content object',
    description:
      'All content in the site whose published or newest version links here, including from blocks. Archived content ' +
      'and links from the content to itself are not included.',
    query: strictMembers('the query', { limit: pageParameters.limit }),
    status: 200,
    answer: backlinkListBody,
    refusals: [404, 422],
    run: ({ desk, actor, path, query }) =>
      desk.storage.read(selectLinks(actor, path.site ?? '', path.content ?? '', query.limit)),
  }),
];
