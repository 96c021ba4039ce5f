// Sites and their languages.

import type { Actor } from '../../authoring/actor.ts';
import type { Desk } from '../../authoring/desk.ts';
import { addLanguage, removeLanguage, setDefaultLanguage } from '../../authoring/sites/change-languages.ts';
import { createSite } from '../../authoring/sites/create-site.ts';
import { deleteSite } from '../../authoring/sites/delete-site.ts';
import { selectOwnSite } from '../../authoring/sites/select-own-site.ts';
import { updateSite } from '../../authoring/sites/update-site.ts';
import { strictMembers } from '../../content/schema-members.ts';
import { type SiteRecord, selectSiteRecords } from '../../storage/port.ts';
import { confirmation, inQuery } from '../confirmation.ts';
import { buildPage, pageParameters, pageSchema } from '../page.ts';
import { defineRoute, type Route } from '../route.ts';
import { languageBody, newLanguageBody, newSiteBody, renderSite, siteBody, siteChangeBody } from './site-bodies.ts';

const tag = 'Sites';

function readSite(desk: Desk, actor: Actor, siteId: string): Promise<SiteRecord> {
  return desk.storage.read(selectOwnSite(actor, siteId));
}

/** What all routes have in common that answer with a site. */
const answersSite = { answer: siteBody, render: renderSite };

export const SITE_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/sites',
    who: 'member',
    tag,
    summary: 'List the sites, by id',
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
    method: 'POST',
    path: '/sites',
    who: 'owner',
    tag,
    summary: 'Create a site',
    description:
      'Without `id` the site gets a new one. Without `languages` it has its `default_language` alone, without that the first of `languages` is the default, and without both it is `en`.',
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
    method: 'PATCH',
    path: '/sites/{site}',
    who: 'owner',
    tag,
    summary: 'Change the name or the address of a site',
    description: 'The urls of all its content follow the address at once. A null `url` takes the address away.',
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
    method: 'DELETE',
    path: '/sites/{site}',
    repeatGets: 'nothing',
    who: 'owner',
    tag,
    summary: 'Delete a site for good',
    description:
      '`confirm` must be the id of the site. Readers get `Invalid Site ID.` from the next request on. Everything in the site is ' +
      'removed: content with all versions, types, authors, assets, and the API keys that are for this site alone. The answer ' +
      'comes when all of it is gone. If the call is interrupted, make it again to resume. The id can then be used for a new site.',
    query: confirmation,
    status: 204,
    answer: null,
    refusals: [404, 422],
    run: ({ desk, actor, path, query }) => inQuery(deleteSite(desk, actor, path.site ?? '', query.confirm)),
  }),
  defineRoute({
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
    method: 'DELETE',
    path: '/sites/{site}/languages/{language}',
    who: 'owner',
    tag,
    summary: 'Remove a language from a site',
    description:
      'Refused with 409 while any content, in whatever state, is in it; `details.total` says how much. The default language cannot be removed.',
    status: 200,
    ...answersSite,
    refusals: [404, 409],
    run: async ({ desk, actor, path }) => {
      await removeLanguage(desk, actor, path.site ?? '', path.language ?? '');
      return readSite(desk, actor, path.site ?? '');
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/sites/{site}/default-language',
    who: 'owner',
    tag,
    summary: 'Make a language of a site its default',
    description:
      'Refused with 409 while content in the present default language has no translation into the new one, archived records not counted: `details.contents` lists the first 100, `details.total` counts all. Addresses of content stay as they are until it is saved or published again.',
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
