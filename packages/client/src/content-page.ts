// A page of a list: its objects, and the next and previous pages. The library uses only the parameters from the server's links, and adds
// them to the client's own root URL, so no link can send the API key to another server.

import { isRecord } from './check-value.ts';
import type { FollowOptions, InLanguage } from './client-options.ts';
import { followSignals, type MaybeSignal } from './follow-signals.ts';
import { GalleyError } from './galley-error.ts';
import { type Answer, describeForeign } from './parse-answer.ts';
import type { ClientSettings } from './parse-options.ts';
import { mergeOptions } from './parse-options.ts';
import { buildRequest, sendRequest } from './send-request.ts';

type Relation = 'first' | 'last' | 'prev' | 'next';

/** Links by relation; null or absent if there is no such page. */
type Links = { readonly [Name in Relation]?: string | null };

/**
 * The pages that a page links to, each as parameters for `getContent`; null if there is no such page.
 * @example
 * const next = page.pagination?.next;
 * if (next) console.log(`Page ${next.page}`, await client.getContent({ params: next }));
 */
export type Pagination<Params> = { readonly [Name in Relation]: (Params & { readonly page: number }) | null };

/**
 * A page of a list.
 * @example
 * let page = await client.getContentByType({ contentType: 'article' });
 * while (page.nextPage !== undefined) page = await page.nextPage();
 */
export interface ContentPage<Content, Params, Languages extends string = string> {
  /** The objects on this page; empty if nothing matches. */
  readonly content: Content[];
  /** Fetches the next page; undefined if there is none. Uses the first call's options, except its signals. */
  nextPage?<Language extends string = Languages>(
    call?: FollowOptions<Language> & InLanguage<Languages, Language>,
  ): Promise<ContentPage<Content, Params, Languages>>;
  /** Fetches the previous page; undefined if there is none. */
  prevPage?<Language extends string = Languages>(
    call?: FollowOptions<Language> & InLanguage<Languages, Language>,
  ): Promise<ContentPage<Content, Params, Languages>>;
  /** Set only in simple mode. */
  readonly pagination?: Pagination<Params>;
}

type LoadPage<Page> = (call: FollowOptions) => Promise<Page>;

/** Yields all objects on all pages, and fetches pages ahead while the caller reads the current one. */
export async function* iterateContent<Content, Params>(
  loadFirst: LoadPage<ContentPage<Content, Params>>,
  lookAhead: number,
  signals: readonly MaybeSignal[],
): AsyncGenerator<Content, void, undefined> {
  const controller = new AbortController();
  const release = followSignals(signals, controller);
  const { signal } = controller;
  try {
    let last: Promise<ContentPage<Content, Params> | undefined> = loadFirst({ signal });
    const pages = [last];
    for (;;) {
      while (pages.length <= lookAhead) {
        last = last.then((page) => page?.nextPage?.({ signal }));
        // The error is reported when its page is read. Until then, it must not cause an unhandled rejection.
        last.catch(() => {});
        pages.push(last);
      }
      const page = await pages.shift();
      if (!page) return;
      for (const object of page.content) {
        signal.throwIfAborted();
        yield object;
      }
    }
  } finally {
    release();
    controller.abort();
  }
}

export interface ListRequest {
  /** The requested parameters as JSON text, so later changes by the caller have no effect. */
  readonly params: string;
  /** The query string, built from the parameters or taken from a link. */
  readonly query: string;
  readonly settings: ClientSettings;
}

export async function loadPage<Content, Params>(list: ListRequest): Promise<ContentPage<Content, Params>> {
  const { query, settings } = list;
  const answer = await sendRequest(buildRequest(settings, '', query));
  const { objects, links } = parseList<Content>(answer);
  const follow = (link: unknown) => async (call?: FollowOptions) =>
    loadPage<Content, Params>({
      ...list,
      query: parseQuery(link, answer, query),
      settings: mergeOptions(settings, { ...call, isPreview: undefined }),
    });
  return {
    content: objects,
    ...(links.next && { nextPage: follow(links.next) }),
    ...(links.prev && { prevPage: follow(links.prev) }),
    ...(settings.simplePagination && { pagination: buildPagination<Params>(links, list.params, answer) }),
  };
}

function buildPagination<Params>(links: Links, params: string, answer: Answer): Pagination<Params> {
  const locate = (link: unknown) => {
    if (!link) return null;
    const [, page] = /[?&]page=([1-9]\d*)(?![^&#])/.exec(String(link)) ?? [];
    if (!page) throw refuseAnswer(answer);
    const copy: Params = JSON.parse(params);
    return { ...copy, page: Number(page) };
  };
  return { first: locate(links.first), last: locate(links.last), prev: locate(links.prev), next: locate(links.next) };
}

/** Rejects a link without parameters, which would list all content from the beginning, and a link to the same page. */
function parseQuery(link: unknown, answer: Answer, asked: string): string {
  const query = typeof link === 'string' && /\?([^#]+)/.exec(link)?.[1];
  if (!query || query === asked) throw refuseAnswer(answer);
  return query;
}

export interface ParsedList<Content> {
  readonly objects: Content[];
  readonly links: Links;
}

/** If a list has exactly one object, the response is the bare object, with the links in the header. */
export function parseList<Content>(answer: Answer): ParsedList<Content> {
  const { body, link } = answer;
  const { data = [parseContent<Content>(answer)], links } = isEnvelope<Content>(body) ? body : {};
  return { objects: data, links: links ?? parseLinkHeader(link) };
}

/** Matches a URL, its relations, or quoted text. Quoted text is skipped. */
const PART = /<([^<>]*)>|;\s*rel\s*=\s*"?([^";,]*)"?|"(?:\\.|[^"\\])*"/gi;

/** Parses the Link header (RFC 8288), which contains the links if a list returned a bare object. */
export function parseLinkHeader(header: string | null): Links {
  const links: { [name: string]: string } = {};
  let address = '';
  for (const [, url, relations] of (header ?? '').matchAll(PART)) {
    if (relations === undefined) address = url ?? address;
    // Only a URL's first `rel` counts.
    else if (address) {
      for (const [relation] of relations.toLowerCase().matchAll(/\S+/g)) links[relation] ??= address;
      address = '';
    }
  }
  return links;
}

export function parseContent<Content>(answer: Answer): Content {
  if (isContent<Content>(answer.body)) return answer.body;
  throw refuseAnswer(answer);
}

function refuseAnswer({ url, requestId }: Answer): GalleyError {
  const status = 200;
  return new GalleyError(describeForeign(url, status, 'JSON'), { code: 'unreadable', url, status, requestId });
}

function isEnvelope<Content>(body: unknown): body is { readonly data: Content[]; readonly links?: Links } {
  return isRecord(body) && Array.isArray(body.data) && body.data.every(isContent);
}

/** This check only distinguishes content from other responses. The server guarantees that content has all its properties. */
function isContent<Content>(body: unknown): body is Content {
  return isRecord(body) && typeof body.id === 'string';
}
