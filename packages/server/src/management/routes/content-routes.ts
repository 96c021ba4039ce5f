// Content for editors: drafts with their faults, lists, copies and translations.

import type { DeliveredContentBody } from '@galley/wire';
import { z } from 'zod';
import { type Actor, nameCaller } from '../../authoring/actor.ts';
import { createContent, duplicateContent, translateContent } from '../../authoring/contents/create-content.ts';
import { readContent, readTranslations } from '../../authoring/contents/describe-content.ts';
import { selectOwnRecord } from '../../authoring/contents/find-content.ts';
import { saveContent, validateContent } from '../../authoring/contents/save-content.ts';
import { openReader } from '../../authoring/desk.ts';
import { findCatalog } from '../../authoring/sites/find-site.ts';
import { findState } from '../../content/lifecycle.ts';
import { handleMember, idMember, nameMember, orUnset, strictMembers } from '../../content/schema-members.ts';
import { selectAuthorNo } from '../../storage/contents/references.ts';
import { selectRecordsPage } from '../../storage/contents/select-records-page.ts';
import type { Procedure } from '../../storage/statement.ts';
import { buildPage, pageSchema } from '../parameters.ts';
import { type Client, type ContentDelivery, defineRoute, LargeCall, type Route } from '../route.ts';
import {
  languageMember,
  managedContentBody,
  renderFault,
  renderManagedContent,
  renderSummary,
  renderTranslations,
  renderWarning,
  slugMember,
  summaryBody,
  translationListBody,
  validationBody,
  versionMember,
  versionMembers,
} from './content-bodies.ts';
import { buildListPlan, buildPosition, contentListQuery } from './content-list-query.ts';

const tag = 'Content';

const objectMember = z.record(z.string(), z.unknown()).nullable();

const deliveredContentBody: z.ZodType<DeliveredContentBody> = z
  .strictObject({
    published: objectMember.describe('The object that readers receive; null if it is not published.'),
    preview: objectMember.describe('The newest saved version, which previews show. Null if the content is archived.'),
  })
  .meta({ id: 'DeliveredContent' });

export const CONTENT_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listContent',
    method: 'GET',
    path: '/sites/{site}/content',
    who: 'member',
    tag,
    summary: 'List a site’s content',
    description:
      'Archived content is listed only with `status=archived`. `published` is all published content, `changed` is ' +
      'published content with a newer version, `scheduled` is content with a schedule, and `failed` is ' +
      'content with a failed schedule. `search` matches any part of a name, ignoring case and accents.',
    query: contentListQuery,
    status: 200,
    answer: pageSchema(summaryBody, 'ContentSummaryPage'),
    refusals: [404, 422],
    run: async ({ desk, actor, path, query }) => {
      const catalog = await findCatalog(openReader(desk, actor), path.site ?? '');
      const { filter, order, after } = await buildListPlan(query, catalog, (id) =>
        desk.storage.read(selectAuthorNo(catalog.site.no, id)),
      );
      const select = () => selectRecordsPage(catalog.site.no, filter, order, after, query.limit + 1);
      const rows = await desk.storage.readList(select, nameCaller(actor));
      return buildPage(rows, query.limit, renderSummary, (row) => buildPosition(row, query.sort));
    },
  }),
  defineRoute({
    operationId: 'createContent',
    method: 'POST',
    path: '/sites/{site}/content',
    who: 'member',
    tag,
    summary: 'Create content',
    description:
      'Creates a draft. By default, it is in the default language, its slug is generated from the name, and it gets a ' +
      'new `id`. If other content in the site has the same `id`, the response is 409. `translation_of` is the id of ' +
      'content of the same type in another language.',
    body: strictMembers('content', {
      id: orUnset(idMember),
      ...versionMembers,
      name: nameMember,
      content_type: handleMember,
      language: orUnset(languageMember),
      translation_of: orUnset(idMember),
    }),
    status: 201,
    answer: managedContentBody,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, body }) => createContent(desk, actor, path.site ?? '', body),
    render: renderManagedContent,
  }),
  defineRoute({
    operationId: 'getContent',
    method: 'GET',
    path: '/sites/{site}/content/{content}',
    who: 'member',
    tag,
    summary: 'Read content as last saved',
    description:
      '`path` and `url` are for the newest version, as if it were published now; `published_path` and `published_url` ' +
      'are for the published version. They differ if the slug, the type’s uri pattern or the default language has ' +
      'changed since the content was published. `faults` prevent the newest version from being published; `warnings` only name ' +
      'published pages that have the same URL.',
    status: 200,
    answer: managedContentBody,
    // The version number is not enough: new content that reuses the id of deleted content starts at version 1 again.
    state: ({ record, newest: { savedBy: _, ...saved } }) => {
      const { id, createdAt, newestVersion, publishedVersion, publishedAt, publishAt, unpublishAt, failedSchedule } =
        record;
      const life = [findState(record), publishedVersion, publishedAt, publishAt, unpublishAt, failedSchedule];
      return { id, createdAt, newestVersion, saved, life };
    },
    refusals: [404],
    run: ({ desk, actor, path }) => readContent(desk, actor, path.site ?? '', path.content ?? ''),
    render: renderManagedContent,
  }),
  defineRoute({
    operationId: 'saveContent',
    method: 'PUT',
    path: '/sites/{site}/content/{content}',
    who: 'member',
    tag,
    summary: 'Save content',
    description:
      'Saves a new version; the published one does not change. `version` is the number of the version that the change ' +
      'is based on: if somebody has saved since, nothing is saved, and the 409 response says who saved what. ' +
      'Omitted properties stay as they are; `fields` must contain all values. A null `slug` is generated from the name. ' +
      'Saving the same values again creates no new version.',
    body: strictMembers('the body', { version: versionMember, ...versionMembers }),
    status: 200,
    answer: managedContentBody,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, body }) => saveContent(desk, actor, path.site ?? '', path.content ?? '', body),
    render: renderManagedContent,
  }),
  defineRoute({
    operationId: 'validateContent',
    method: 'POST',
    path: '/sites/{site}/content/{content}/validate',
    who: 'member',
    tag,
    summary: 'Find the problems that prevent content from being published',
    description:
      'Checks the content as last saved, with any given values in place of the saved ones. Nothing is saved. `faults` ' +
      'also includes a URL that another published page in the same language already has.',
    body: strictMembers('a draft', versionMembers),
    status: 200,
    answer: validationBody,
    refusals: [404, 422],
    savesNothing: true,
    run: async ({ desk, actor, path, body }) => {
      const { faults, warnings } = await validateContent(desk, actor, path.site ?? '', path.content ?? '', body);
      return { is_valid: faults.length === 0, faults: faults.map(renderFault), warnings: warnings.map(renderWarning) };
    },
  }),
  defineRoute({
    operationId: 'duplicateContent',
    method: 'POST',
    path: '/sites/{site}/content/{content}/duplicate',
    who: 'member',
    tag,
    summary: 'Copy content into a new draft',
    body: strictMembers('a copy', { id: orUnset(idMember), name: orUnset(nameMember), slug: orUnset(slugMember) }),
    status: 201,
    answer: managedContentBody,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, body }) => duplicateContent(desk, actor, path.site ?? '', path.content ?? '', body),
    render: renderManagedContent,
  }),
  defineRoute({
    operationId: 'listTranslations',
    method: 'GET',
    path: '/sites/{site}/content/{content}/translations',
    who: 'member',
    tag,
    summary: 'List a content object’s translations and missing languages',
    status: 200,
    answer: translationListBody,
    refusals: [404],
    run: async ({ desk, actor, path }) =>
      renderTranslations(await desk.storage.read(readTranslations(actor, path.site ?? '', path.content ?? ''))),
  }),
  defineRoute({
    operationId: 'createTranslation',
    method: 'POST',
    path: '/sites/{site}/content/{content}/translations',
    changes: '/sites/{site}/content/{content}',
    who: 'member',
    tag,
    summary: 'Create a translation',
    description:
      'Creates a draft in another language. Omitted properties take the content’s current values. By default, the ' +
      '`slug` is generated from the name of the translation.',
    body: strictMembers('a translation', { id: orUnset(idMember), language: languageMember, ...versionMembers }),
    status: 201,
    answer: managedContentBody,
    refusals: [404, 409, 422],
    run: ({ desk, actor, path, body }) => translateContent(desk, actor, path.site ?? '', path.content ?? '', body),
    render: renderManagedContent,
  }),
  defineRoute({
    operationId: 'getDeliveredContent',
    method: 'GET',
    path: '/sites/{site}/content/{content}/delivered',
    who: 'member',
    tag,
    summary: 'Read content as the delivery API returns it',
    description:
      'Returns what the delivery API sends to readers (`published`) and in previews (`preview`), in the format of ' +
      '`GET /api/v1/content/{id}`. Null if the delivery API returns 404.',
    status: 200,
    answer: deliveredContentBody,
    refusals: [404],
    run: ({ desk, actor, path, client, delivery }) => desk.storage.read(selectDelivered(actor, path, client, delivery)),
  }),
];

function* selectDelivered(
  actor: Actor,
  { site = '', content = '' }: Readonly<Record<string, string>>,
  { baseUrl }: Client,
  delivery: ContentDelivery,
): Procedure<DeliveredContentBody> {
  const { siteNo, id } = yield* selectOwnRecord(actor, site, content);
  const delivered = yield* delivery.deliver({ siteNo, id, baseUrl, isMarked: false });
  if (delivered === undefined) throw new LargeCall();
  return delivered;
}
