// Sites and their languages.

import type { SiteBody } from '@galley/wire';
import { z } from 'zod';
import type { Actor } from '../../authoring/actor.ts';
import type { Desk } from '../../authoring/desk.ts';
import { deleteSite } from '../../authoring/sites/delete-site.ts';
import { selectOwnSite } from '../../authoring/sites/find-site.ts';
import {
  addLanguage,
  createSite,
  MOST_LANGUAGES,
  removeLanguage,
  setDefaultLanguage,
  updateSite,
} from '../../authoring/sites/sites.ts';
import { ALWAYS, idMember, nameMember, orNull, orUnset, strictMembers } from '../../content/schema-members.ts';
import {
  checkLanguages,
  completeLanguages,
  languageMember,
  realLanguageMember,
  realLanguagesMember,
  siteUrlMember,
} from '../../content/site-definition.ts';
import { DEFAULT_LANGUAGE } from '../../content/text-rules.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import { type SiteRecord, selectSiteRecords } from '../../storage/sites/select-catalog.ts';
import { buildPage, confirmation, inQuery, pageParameters, pageSchema } from '../parameters.ts';
import { defineRoute, type Route } from '../route.ts';

const siteBody: z.ZodType<SiteBody> = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    url: z.string().nullable().describe('The base URL of its content, without a trailing slash.'),
    default_language: z.string(),
    languages: z.array(z.string()).describe('In the order in which they were added, including the default language.'),
    has_preview: z.boolean().describe('Whether it has a preview address, and therefore a working preview secret.'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Site' });

function renderSite(site: SiteRecord): SiteBody {
  return {
    id: site.id,
    name: site.name,
    url: site.url,
    default_language: site.defaultLanguage,
    languages: site.languages,
    has_preview: site.hasPreview,
    created_at: formatTimestamp(site.createdAt),
    updated_at: formatTimestamp(site.updatedAt),
  };
}

const newSiteBody = strictMembers('a site', {
  id: orNull(idMember),
  name: nameMember,
  url: orNull(siteUrlMember),
  default_language: orUnset(realLanguageMember),
  languages: orUnset(
    realLanguagesMember.max(MOST_LANGUAGES, { error: `must name at most ${MOST_LANGUAGES} languages` }),
  ),
})
  .superRefine(checkLanguages, ALWAYS)
  .transform((site) =>
    completeLanguages({ ...site, default_language: site.default_language ?? site.languages?.[0] ?? DEFAULT_LANGUAGE }),
  );

const siteChangeBody = strictMembers('a site change', {
  name: nameMember.optional(),
  url: siteUrlMember.nullable().optional(),
});

const languageBody = strictMembers('the body', { language: languageMember });
const newLanguageBody = strictMembers('the body', { language: realLanguageMember });

const tag = 'Sites';

function readSite(desk: Desk, actor: Actor, siteId: string): Promise<SiteRecord> {
  return desk.storage.read(selectOwnSite(actor, siteId));
}

/** Shared by all routes that return a site. */
const answersSite = { answer: siteBody, render: renderSite };

export const SITE_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listSites',
    method: 'GET',
    path: '/sites',
    who: 'member',
    tag,
    summary: 'List the sites, sorted by id',
    query: strictMembers('the query', pageParameters),
    status: 200,
    answer: pageSchema(siteBody, 'SitePage'),
    refusals: [422],
    run: async ({ desk, actor, query: { limit, cursor } }) => {
      const rows = await desk.storage.read(selectSiteRecords(actor.accountNo, cursor?.key ?? '', limit + 1));
      return buildPage(rows, limit, renderSite, ({ id }) => ({ key: id, no: 0 }));
    },
  }),
  defineRoute({
    operationId: 'createSite',
    method: 'POST',
    path: '/sites',
    who: 'owner',
    tag,
    summary: 'Create a site',
    description:
      'If `id` is omitted, one is generated. `languages` defaults to the `default_language`, `default_language` to the first of `languages`, and both to `en`.',
    body: newSiteBody,
    status: 201,
    ...answersSite,
    refusals: [409, 422],
    run: async ({ desk, actor, body }) => {
      const { id, name, url, default_language: defaultLanguage, languages } = body;
      const site = await createSite(desk, actor, { id, name, url, defaultLanguage, languages });
      return readSite(desk, actor, site.id);
    },
  }),
  defineRoute({
    operationId: 'getSite',
    method: 'GET',
    path: '/sites/{site}',
    who: 'member',
    tag,
    summary: 'Read a site',
    status: 200,
    ...answersSite,
    state: (site) => site,
    refusals: [404],
    run: ({ desk, actor, path }) => readSite(desk, actor, path.site ?? ''),
  }),
  defineRoute({
    operationId: 'updateSite',
    method: 'PATCH',
    path: '/sites/{site}',
    who: 'owner',
    tag,
    summary: 'Change a site’s name or URL',
    description: 'The URLs of all its content change immediately. A null `url` removes the site’s URL.',
    body: siteChangeBody,
    status: 200,
    ...answersSite,
    refusals: [404, 422],
    run: async ({ desk, actor, path, body }) => {
      await updateSite(desk, actor, path.site ?? '', body);
      return readSite(desk, actor, path.site ?? '');
    },
  }),
  defineRoute({
    operationId: 'deleteSite',
    method: 'DELETE',
    path: '/sites/{site}',
    repeatGets: 'nothing',
    who: 'owner',
    tag,
    summary: 'Delete a site for good',
    description:
      '`confirm` must be the id of the site. Readers will receive `Invalid Site ID.` on their next request. Everything ' +
      'in the site is deleted: content with all its versions, types, authors, assets, and API keys that are only for ' +
      'this site. The response is sent once everything is deleted. If the call is interrupted, repeat it to resume. The ' +
      'id can then be used for a new site.',
    query: confirmation,
    status: 204,
    answer: null,
    refusals: [404, 422],
    run: ({ desk, actor, path, query }) => inQuery(deleteSite(desk, actor, path.site ?? '', query.confirm)),
  }),
  defineRoute({
    operationId: 'addLanguage',
    method: 'POST',
    path: '/sites/{site}/languages',
    who: 'owner',
    tag,
    summary: 'Add a language to a site',
    body: newLanguageBody,
    status: 201,
    ...answersSite,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body }) => {
      await addLanguage(desk, actor, path.site ?? '', body.language);
      return readSite(desk, actor, path.site ?? '');
    },
  }),
  defineRoute({
    operationId: 'removeLanguage',
    method: 'DELETE',
    path: '/sites/{site}/languages/{language}',
    who: 'owner',
    tag,
    summary: 'Remove a language from a site',
    description:
      'Returns 409 while any content in any state uses the language; `details.total` is the number of such objects. The default language cannot be removed.',
    status: 200,
    ...answersSite,
    refusals: [404, 409],
    run: async ({ desk, actor, path }) => {
      await removeLanguage(desk, actor, path.site ?? '', path.language ?? '');
      return readSite(desk, actor, path.site ?? '');
    },
  }),
  defineRoute({
    operationId: 'setDefaultLanguage',
    method: 'PUT',
    path: '/sites/{site}/default-language',
    who: 'owner',
    tag,
    summary: 'Change a site’s default language',
    description:
      'Returns 409 while content in the current default language has no translation into the new one. Archived content is ignored. `details.contents` lists the first 100 such objects, and `details.total` is how many there are. Content URLs stay as they are until the content is saved or published again.',
    body: languageBody,
    status: 200,
    ...answersSite,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body }) => {
      await setDefaultLanguage(desk, actor, path.site ?? '', body.language);
      return readSite(desk, actor, path.site ?? '');
    },
  }),
];
