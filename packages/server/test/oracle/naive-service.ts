// The oracle: a slow implementation of the specification that keeps all records in memory and handles one request at a time. It
// was written from the specification alone, so the oracle and the service agree only where both interpret the specification in the same
// way.

import type { ContentBody } from '@galley/wire';
import type { BundleRecord, SiteRecord } from './bundle.ts';
import { type NaiveQuery, type Pair, readQuery } from './naive-query.ts';
import { type Reading, readSite, type VisibleContent } from './naive-reading.ts';
import { renderContent } from './naive-render.ts';
import { selectContents, selectRecord } from './naive-select.ts';
import { sortContents } from './naive-sort.ts';

interface NaiveRequest {
  readonly path: string;
  readonly pairs: readonly Pair[];
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The permissions of the request's key; null for a request without a valid key. */
  readonly key: { readonly sites: readonly string[] | 'all'; readonly mayPreview: boolean } | null;
}

interface ExpectedError {
  readonly kind: 'error';
  readonly status: number;
  readonly message: string | RegExp;
}

interface ExpectedObject {
  readonly kind: 'object';
  readonly body: ContentBody;
}

/** The complete list, regardless of the page that was requested. */
export interface ExpectedList {
  readonly kind: 'list';
  readonly mode: 'cursor' | 'simple';
  readonly bodies: readonly ContentBody[];
  readonly limit: number;
  /** The requested page in simple mode. */
  readonly page: number;
}

export type ExpectedAnswer = ExpectedError | ExpectedObject | ExpectedList;

const LIST_PATH = '/api/v1/content';

export interface NaiveService {
  answer(request: NaiveRequest): ExpectedAnswer;
}

export function naiveService(records: readonly BundleRecord[]): NaiveService {
  // Bodies are cached because rendering them again for each of thousands of lists would take too long.
  const readings = new Map<string, { reading: Reading; bodies: Map<string, ContentBody> }>();

  function bodyOf(content: VisibleContent, reading: Reading, bodies: Map<string, ContentBody>): ContentBody {
    const body = bodies.get(content.id) ?? renderContent(content, reading);
    bodies.set(content.id, body);
    return body;
  }

  function answer(request: NaiveRequest): ExpectedAnswer {
    const { headers, key, path } = request;
    if (path !== LIST_PATH && !/^\/api\/v1\/content\/[^/]+$/.test(path)) return problem(404, 'Not found.');
    if (key === null) return problem(401, 'Unauthenticated.');
    const siteId = headers['x-service-site'] ?? '';
    if (siteId === '') return problem(403, 'You must supply the Site ID in the appropriate header.');
    const site = records.find((record) => record.kind === 'site' && record.id === siteId);
    if (site?.kind !== 'site') return problem(400, 'Invalid Site ID.');
    if (key.sites !== 'all' && !key.sites.includes(siteId)) {
      return problem(403, 'You are not permitted to access this Site.');
    }
    const isPreview = isOn(headers['x-service-preview']);
    if (isPreview && !key.mayPreview) return problem(403, 'This API key may not read previews.');

    const readingKey = `${siteId} ${isPreview}`;
    const known = readings.get(readingKey) ?? { reading: readSite(records, site, isPreview), bodies: new Map() };
    readings.set(readingKey, known);
    const { reading, bodies } = known;

    const isSimple = isOn(headers['x-service-simple-pagination']);
    const query = readQuery(request.pairs, reading.types, isSimple);
    const wrong = path === LIST_PATH ? query.wrong : query.wrong.filter((name) => name === 'fallback_default_language');
    const language = headers['x-service-language'] ?? null;
    const refusal = refuse(wrong, language, site);
    if (refusal !== null) return refusal;

    if (path !== LIST_PATH) {
      const content = selectRecord(reading, path.slice(LIST_PATH.length + 1), language, query.hasFallback);
      if (content === null) return problem(404, 'Content not found.');
      return { kind: 'object', body: bodyOf(content, reading, bodies) };
    }
    return {
      kind: 'list',
      mode: isSimple ? 'simple' : 'cursor',
      bodies: orderedContents(reading, query, language).map((content) => bodyOf(content, reading, bodies)),
      limit: query.limit,
      page: query.page,
    };
  }

  return { answer };
}

function orderedContents(reading: Reading, query: NaiveQuery, language: string | null): readonly VisibleContent[] {
  return sortContents(selectContents(reading, query, language), query.sort);
}

function refuse(wrong: readonly string[], language: string | null, site: SiteRecord): ExpectedError | null {
  const names = language !== null && !site.languages.includes(language) ? [...wrong, 'language'] : wrong;
  return names.length === 0 ? null : { kind: 'error', status: 422, message: new RegExp(names.join('|'), 'i') };
}

function problem(status: number, message: string): ExpectedError {
  return { kind: 'error', status, message };
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && ['true', '1'].includes(value.toLowerCase());
}
