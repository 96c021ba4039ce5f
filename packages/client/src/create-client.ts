// Implements the client's methods using the API's two endpoints.

import { checkPlain, checkText, checkValue } from './check-value.ts';
import type { Client } from './client.ts';
import type { ClientOptions } from './client-options.ts';
import { type ContentPage, iterateContent, loadPage, parseContent, parseList } from './content-page.ts';
import { encodeParams } from './encode-params.ts';
import { CONTENT_NOT_FOUND, GalleyError } from './galley-error.ts';
import type { Answer } from './parse-answer.ts';
import { type ClientSettings, mergeOptions, parseOptions } from './parse-options.ts';
import { buildRequest, sendRequest } from './send-request.ts';
import type { AnySite, PreviewOf, SiteShape } from './site.ts';

/**
 * Creates a client for one site. With the `Site` that `galley types` writes, TypeScript checks handles, fields, sort keys and
 * languages. Without it, content objects have the API's general types.
 *
 * @example
 * import { createClient } from '@galley/client';
 * import type { Site } from './content-types.ts';
 *
 * const client = createClient<Site>({
 *   apiURL: 'https://content.example/api/v1',
 *   apiKey: process.env.GALLEY_API_KEY ?? '',
 *   siteId: 's_demo',
 * });
 *
 * @throws TypeError if an option is missing or invalid
 */
export function createClient<Site extends SiteShape = AnySite>(
  options: ClientOptions<Site['languages'], false>,
): Client<Site>;
/** Creates a client that may read previews, in which required values can be null. `sync` and `subscribe` read published content. */
export function createClient<Site extends SiteShape = AnySite>(
  options: ClientOptions<Site['languages']>,
): Client<PreviewOf<Site>, Site>;
export function createClient<Site extends SiteShape>(options: ClientOptions<Site['languages']>): Client<Site> {
  const client = parseOptions(options);
  const changes = () => import('./change-methods.ts');

  return {
    async getContentById(id, call) {
      checkText('id', id);
      return parseContent(await ask(mergeOptions(client, call), {}, `/${encodeId(id)}`));
    },

    async getContentBySlug(slug, contentType, call) {
      checkText('slug', slug);
      checkText('contentType', contentType);
      return parseFirst(await ask(mergeOptions(client, call), { slug, content_type: contentType, limit: 1 }));
    },

    async getContentByType({ contentType, limit, sortBy = 'published_at', sortDirection = 'desc', ...others }, call) {
      refuseOthers(others);
      checkText('contentType', contentType);
      const params = { content_type: contentType, limit, sort: `${sortBy}:${sortDirection}` };
      return list(params, mergeOptions(client, call));
    },

    async getContent({ params = {}, ...others } = {}, call) {
      refuseOthers(others, params);
      return list(params, mergeOptions(client, call));
    },

    iterate({ params = {}, lookAhead = 1, ...others } = {}, call) {
      refuseOthers(others, params);
      const isRight = lookAhead >= 0 && lookAhead <= 10 && lookAhead % 1 === 0;
      checkValue('lookAhead', isRight, 'from 0 to 10');
      const settings = mergeOptions(client, call);
      return iterateContent(
        ({ signal }) => list({ limit: 100, ...params }, { ...settings, simplePagination: false, signals: [signal] }),
        lookAhead,
        settings.signals,
      );
    },

    sync: async (store, options) => (await changes()).sync(client, store, options),

    subscribe: async (listener, options) => (await changes()).subscribe(client, listener, options),
  };
}

function parseFirst<Content>(answer: Answer): Content {
  const [object] = parseList<Content>(answer).objects;
  if (object) return object;
  const { url, requestId } = answer;
  throw new GalleyError(CONTENT_NOT_FOUND, { code: 'not_found', status: 404, url, requestId });
}

/** Rejects parameters that are passed as options: they would be ignored, and the call would list the whole site. */
function refuseOthers(others: object, params: object = {}): void {
  checkPlain('params', params);
  for (const name in others) checkValue(name, false, 'omitted or in params');
}

/** Requests a single object, which does not need pagination. */
function ask(settings: ClientSettings, params: object, path = ''): Promise<Answer> {
  const query = encodeParams(addFallback(params, settings));
  return sendRequest(buildRequest({ ...settings, simplePagination: false }, path, query));
}

function list<Content, Params>(params: object, settings: ClientSettings): Promise<ContentPage<Content, Params>> {
  const asked = addFallback(params, settings);
  return loadPage({ query: encodeParams(asked), params: JSON.stringify(asked), settings });
}

function addFallback(params: object, { fallbackDefaultLanguage }: ClientSettings): object {
  return fallbackDefaultLanguage ? { fallback_default_language: true, ...params } : params;
}

/**
 * URL parsers remove path segments that consist of one or two dots, even if they are encoded. An id that consists only of dots cannot
 * exist, so it is replaced with another id that does not exist.
 */
function encodeId(id: string): string {
  return encodeURIComponent(id).replace(/^\.\.?$/, '%252E');
}
