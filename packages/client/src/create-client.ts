// The client: the methods of the library as paths and parameters of the two endpoints.

import { buildRequest } from './build-request.ts';
import { checkText } from './check-text.ts';
import type { Client, PageOf } from './client.ts';
import { type CallOptions, type ClientOptions, parseOptions } from './client-options.ts';
import { loadPage, parseContent, parseList } from './content-page.ts';
import { encodeParams } from './encode-params.ts';
import { GalleyError } from './galley-error.ts';
import { iterateContent } from './iterate-content.ts';
import type { ListParams } from './list-params.ts';
import type { Answer } from './parse-answer.ts';
import { sendRequest } from './send-request.ts';
import type { AnySite, ContentHandle, ContentOf, SiteShape } from './site.ts';

/**
 * A client of one site. Give it the `Site` that `galley types` writes, and handles, fields, sort keys and languages are
 * checked; without it, every content object has the general types.
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
 * @throws TypeError where an option is missing or cannot be right
 */
export function createClient<Site extends SiteShape = AnySite>(
  options: ClientOptions<Site['languages']>,
): Client<Site> {
  const settings = parseOptions(options);

  function send(path: string, query: string, call: CallOptions = {}, isSimpleList = false): Promise<Answer> {
    return sendRequest(buildRequest(settings, `/content${path}${query && '?'}${query}`, call, isSimpleList));
  }

  function addFallback(params: object, { fallbackDefaultLanguage }: CallOptions = {}): object {
    const isOn = fallbackDefaultLanguage ?? settings.fallbackDefaultLanguage;
    return isOn ? { fallback_default_language: true, ...params } : params;
  }

  function list<Handle extends ContentHandle<Site>>(
    params: object,
    call: CallOptions = {},
    isSimpleList = settings.simplePagination === true,
  ): Promise<PageOf<Site, Handle>> {
    return loadPage<ContentOf<Site, Handle>, ListParams<Site, Handle>>({
      params: JSON.stringify(params),
      query: encodeParams(addFallback(params, call)),
      call,
      isSimple: isSimpleList,
      send: (query, callOfPage) => send('', query, callOfPage, isSimpleList),
    });
  }

  return {
    async getContentById(id, call) {
      checkText('id', id);
      return parseContent(await send(`/${encodeId(id)}`, encodeParams(addFallback({}, call)), call));
    },

    async getContentBySlug(slug, contentType, call) {
      checkText('slug', slug);
      checkText('contentType', contentType);
      const params = { slug, content_type: contentType, limit: 1 };
      const answer = await send('', encodeParams(addFallback(params, call)), call);
      const [object] = parseList<ContentOf<Site, typeof contentType>>(answer).objects;
      if (object !== undefined) return object;
      const { url, requestId } = answer;
      throw new GalleyError('Content not found.', { code: 'not_found', status: 404, url, requestId });
    },

    async getContentByType({ contentType, limit, sortBy = 'published_at', sortDirection = 'desc' }, call) {
      checkText('contentType', contentType);
      return list({ content_type: contentType, limit, sort: `${sortBy}:${sortDirection}` }, call);
    },

    async getContent({ params = {} } = {}, call) {
      return list(params, call);
    },

    iterate({ params = {}, lookAhead = 1 } = {}, call = {}) {
      if (!(lookAhead >= 0 && lookAhead <= 10)) throw new TypeError(`lookAhead is ${lookAhead}; 0 to 10 are allowed.`);
      return iterateContent((signal) => list({ limit: 100, ...params }, { ...call, ...signal }, false), lookAhead, [
        call.signal,
        call.fetchOptions?.signal,
      ]);
    },
  };
}

/** In a URL, one dot or two are steps, however they are written; no id is made of dots. */
function encodeId(id: string): string {
  return /^\.\.?$/.test(id) ? '%252E' : encodeURIComponent(id);
}
