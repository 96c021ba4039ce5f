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
import { MOST_PREVIEW_ADDRESSES } from '../../content/preview-rules.ts';
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
import { selectPreviewSettings } from '../../storage/sites/preview-settings.ts';
import { type SiteRecord, selectSiteRecords } from '../../storage/sites/select-catalog.ts';
import type { Procedure } from '../../storage/statement.ts';
import { buildPage, confirmation, inQuery, pageParameters, pageSchema } from '../parameters.ts';
import { defineRoute, type Route } from '../route.ts';
import { previewAddressMember } from './preview-routes.ts';

const siteBody: z.ZodType<SiteBody> = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    url: z.string().nullable().describe('The base URL of its content, without a trailing slash.'),
    default_language: z.string(),
    languages: z.array(z.string()).describe('In the order in which they were added, including the default language.'),
    has_preview: z.boolean().describe('Whether it has a preview address, and therefore a working preview secret.'),
    preview_url: z.string().nullable().describe('The default preview address.'),
    preview_urls: z.array(z.string()).describe('All preview addresses, the default first.'),
    preview_secret: z
      .string()
      .nullable()
      .describe('The preview secret. Only `GET /sites/{site}` contains it, and only for owners; otherwise it is null.'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Site' });

/** A site, and its preview secret if the response may contain it. */
interface SeenSite {
  readonly site: SiteRecord;
  readonly secret: string | null;
  readonly showsSecret: boolean;
}

function renderSite({ site, secret, showsSecret }: SeenSite): SiteBody {
  const previewUrls = site.previewAddresses.map(({ address }) => address);
  return {
    id: site.id,
    name: site.name,
    url: site.url,
    default_language: site.defaultLanguage,
    languages: site.languages,
    has_preview: previewUrls.length > 0,
    preview_url: previewUrls[0] ?? null,
    preview_urls: previewUrls,
    preview_secret: showsSecret ? secret : null,
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

const PREVIEW_URLS_RULE = `must be an array of at most ${MOST_PREVIEW_ADDRESSES} preview addresses`;

interface GivenPreviews {
  readonly preview_url?: unknown;
  readonly preview_urls?: unknown;
}

function checkPreviewUrls({ preview_url: url, preview_urls: urls }: GivenPreviews, context: z.RefinementCtx): void {
  if (url === undefined || !Array.isArray(urls) || (url === null ? urls.length === 0 : urls.includes(url))) return;
  const message = url === null ? 'must not be null if there are preview_urls' : 'must be one of the preview_urls';
  context.addIssue({ code: 'custom', path: ['preview_url'], message });
}

const siteChangeBody = strictMembers('a site change', {
  name: nameMember.optional(),
  url: siteUrlMember.nullable().optional(),
  preview_url: previewAddressMember.nullable().optional(),
  preview_urls: z
    .array(previewAddressMember, { error: PREVIEW_URLS_RULE })
    .max(MOST_PREVIEW_ADDRESSES, { error: PREVIEW_URLS_RULE })
    .optional(),
})
  .superRefine(checkPreviewUrls, ALWAYS)
  .transform(({ preview_url: url, preview_urls: urls, ...rest }) => ({ ...rest, previews: { url, urls } }));

const languageBody = strictMembers('the body', { language: languageMember });
const newLanguageBody = strictMembers('the body', { language: realLanguageMember });

const tag = 'Sites';

/** Responses to writes do not show the secret, because a response may be stored for callers who repeat the call. */
function readSite(desk: Desk, actor: Actor, siteId: string, showsSecret = false): Promise<SeenSite> {
  return desk.storage.read(selectSeenSite(actor, siteId, showsSecret));
}

function* selectSeenSite(actor: Actor, siteId: string, showsSecret: boolean): Procedure<SeenSite> {
  const site = yield* selectOwnSite(actor, siteId);
  const { secret } = yield* selectPreviewSettings(site.no);
  return { site, secret, showsSecret };
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
      const render = (site: SiteRecord): SiteBody => renderSite({ site, secret: null, showsSecret: false });
      return buildPage(rows, limit, render, ({ id }) => ({ key: id, no: 0 }));
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
    state: ({ site, secret }) => ({ ...site, secret }),
    refusals: [404],
    run: ({ desk, actor, path }) => readSite(desk, actor, path.site ?? '', actor.role === 'owner'),
  }),
  defineRoute({
    operationId: 'updateSite',
    method: 'PATCH',
    path: '/sites/{site}',
    who: 'owner',
    tag,
    summary: 'Change a site’s name, URL or preview addresses',
    description:
      'A new `url` changes the URLs of all the site’s content immediately; a null `url` removes the site’s URL. `preview_urls` ' +
      'replaces all preview addresses, and addresses that the site already has keep their names and patterns. `preview_url` ' +
      'makes one of them the default; any other URL replaces the default address, and null removes all addresses.',
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
