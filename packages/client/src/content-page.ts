// A page of a list: its objects, and the ways on and back. Pages are followed by the parameters of the server's links, but
// always below the client's own root: no link can take the API key elsewhere.

import type { CallOptions } from './client-options.ts';
import { GalleyError } from './galley-error.ts';
import { type Answer, isRecord } from './parse-answer.ts';
import { type Links, parseLinkHeader, type Relation } from './parse-link-header.ts';

/**
 * The pages around a page, each as the parameters that lead to it; null where there is no such page.
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
export interface ContentPage<Content, Params, Call = CallOptions> {
  /** The objects of this page; empty where nothing matches. */
  readonly content: Content[];
  /** Fetches the next page. Only there where one exists. Takes over the options of the first call, without its signals. */
  readonly nextPage?: (call?: Call) => Promise<ContentPage<Content, Params, Call>>;
  /** Fetches the previous page. Only there where one exists. */
  readonly prevPage?: (call?: Call) => Promise<ContentPage<Content, Params, Call>>;
  /** Only in simple mode. */
  readonly pagination?: Pagination<Params>;
}

export interface ListRequest {
  /** As the caller gave them, in JSON: a copy that nobody changes. */
  readonly params: string;
  /** The same as a query string, or that of a link. */
  readonly query: string;
  readonly call: CallOptions;
  readonly isSimple: boolean;
  send(query: string, call: CallOptions): Promise<Answer>;
}

export async function loadPage<Content, Params>(list: ListRequest): Promise<ContentPage<Content, Params>> {
  const { objects, links } = parseList<Content>(await list.send(list.query, list.call));
  const follow = (url: string) => (call?: CallOptions) => {
    const { signal: _, ...kept } = list.call;
    const fetchOptions = { ...kept.fetchOptions, signal: null };
    return loadPage<Content, Params>({ ...list, query: parseQuery(url), call: { ...kept, fetchOptions, ...call } });
  };
  return {
    content: objects,
    ...(links.next && { nextPage: follow(links.next) }),
    ...(links.prev && { prevPage: follow(links.prev) }),
    ...(list.isSimple && { pagination: buildPagination<Params>(links, list.params) }),
  };
}

function buildPagination<Params>(links: Links, params: string): Pagination<Params> {
  const locate = (url: string | null | undefined) => {
    if (!url) return null;
    const copy: Params = JSON.parse(params);
    return { ...copy, page: Number(new URLSearchParams(parseQuery(url)).get('page')) };
  };
  return { first: locate(links.first), last: locate(links.last), prev: locate(links.prev), next: locate(links.next) };
}

function parseQuery(url: string): string {
  return /\?([^#]*)/.exec(url)?.[1] ?? '';
}

export interface ParsedList<Content> {
  readonly objects: Content[];
  readonly links: Links;
}

/** A list of exactly one object is that object, and its links stand in the header. */
export function parseList<Content>(answer: Answer): ParsedList<Content> {
  const { body } = answer;
  if (isEnvelope<Content>(body)) return { objects: body.data, links: body.links ?? parseLinkHeader(answer.link) };
  return { objects: [parseContent<Content>(answer)], links: parseLinkHeader(answer.link) };
}

export function parseContent<Content>({ body, url, requestId }: Answer): Content {
  if (isContent<Content>(body)) return body;
  const message = `${url} answered with JSON that is no content; is apiURL the root of the API?`;
  throw new GalleyError(message, { code: 'unreadable', url, status: 200, requestId });
}

function isEnvelope<Content>(body: unknown): body is { readonly data: Content[]; readonly links?: Links } {
  return isRecord(body) && Array.isArray(body.data);
}

/** What its members are is the server's promise; here it is told from what is no content at all. */
function isContent<Content>(body: unknown): body is Content {
  return isRecord(body) && typeof body.id === 'string';
}
