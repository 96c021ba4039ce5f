// Requests that differ in one or two things a response can depend on, for two sites whose content differs but has the same IDs.

import type { OutgoingHttpHeaders } from 'node:http';
import { at, content, contentType, site } from '../../conformance/records.ts';
import type { Asking, Received } from '../../support/connection.ts';

export interface Variant extends Asking {
  readonly name: string;
  readonly headers: OutgoingHttpHeaders;
}

/** The tokens of keys with different permissions. */
export interface Tokens {
  readonly both: string;
  readonly onlyOne: string;
  readonly preview: string;
  readonly revoked: string;
}

export const SITES = ['s_one', 's_two'] as const;

export function buildTwoSites(): readonly object[] {
  return SITES.flatMap((id) => buildSite(id));
}

function buildSite(siteId: string): readonly object[] {
  const fields = [{ id: 'f_line', handle: 'line', type: 'text' }];
  // Only one word differs between the two sites, so a response from the wrong site would look right at a glance.
  const line = { text: `A line of the site ${siteId}. `.repeat(30) };
  const parts = { site: siteId, content_type: 'note', fields: { line } };
  return [
    site(siteId, { languages: ['en', 'fr', 'de'], url: `https://${siteId.slice(2)}.example` }),
    contentType(siteId, 'note', fields),
    ...['a', 'b', 'c'].map((name, index) =>
      content({ ...parts, id: `c_${name}`, published_at: at(index + 1), draft: { name: `Draft of ${name}` } }),
    ),
    // Identical on both sites, so only the site's URL distinguishes them.
    content({ ...parts, id: 'c_same', published_at: at(4), fields: { line: { text: 'The same line. '.repeat(80) } } }),
    content({ ...parts, id: 'c_a_fr', language: 'fr', translation_of: 'c_a', slug: 'a' }),
    content({ ...parts, id: 'c_b_de', language: 'de', translation_of: 'c_b', slug: 'b' }),
    content({ ...parts, id: 'c_draft', status: 'draft' }),
  ];
}

interface Change {
  readonly headers?: OutgoingHttpHeaders;
  readonly method?: string;
}

/** The difference from a plain request. */
function listChanges(tokens: Tokens) {
  const authorize = (token: string) => ({ authorization: `Bearer ${token}` });
  return {
    plain: {},
    HEAD: { method: 'HEAD' },
    'another key': { headers: authorize(tokens.onlyOne) },
    'preview key': { headers: authorize(tokens.preview) },
    preview: { headers: { ...authorize(tokens.preview), 'x-service-preview': 'true' } },
    'preview rejected': { headers: { 'x-service-preview': '1' } },
    'revoked key': { headers: authorize(tokens.revoked) },
    french: { headers: { 'x-service-language': 'fr' } },
    german: { headers: { 'x-service-language': 'de' } },
    'no such language': { headers: { 'x-service-language': 'xx' } },
    simple: { headers: { 'x-service-simple-pagination': 'true' } },
    'simple french': { headers: { 'x-service-simple-pagination': '1', 'x-service-language': 'fr' } },
    'other host': { headers: { host: 'other.example' } },
    forwarded: { headers: { 'x-forwarded-host': 'proxy.example', 'x-forwarded-proto': 'https' } },
    'forwarded prefix': { headers: { 'x-forwarded-prefix': '/below' } },
    br: { headers: { 'accept-encoding': 'br' } },
    zstd: { headers: { 'accept-encoding': 'zstd' } },
    gzip: { headers: { 'accept-encoding': 'br;q=0, gzip' } },
    'HEAD, br': { method: 'HEAD', headers: { 'accept-encoding': 'br' } },
    'simple br': { headers: { 'accept-encoding': 'br', 'x-service-simple-pagination': 'true' } },
    'anything matches': { headers: { 'if-none-match': '*' } },
    'no site': { headers: { 'x-service-site': '' } },
    'no such site': { headers: { 'x-service-site': 's_none' } },
  } satisfies Readonly<Record<string, Change>>;
}

type ChangeName = keyof ReturnType<typeof listChanges>;

const FEW = ['plain', 'preview', 'french', 'simple', 'br'] as const;

/**
 * The changes to apply to each request. The first request gets all of them. The others get only the changes that could cause confusion with
 * the first.
 */
const REQUESTS: readonly (readonly [site: string, target: string, changes: readonly ChangeName[] | 'all'])[] = [
  ['s_one', '?sort=slug&limit=2', 'all'],
  ['s_two', '?sort=slug&limit=2', [...FEW, 'another key', 'other host']],
  ['s_one', '?sort=slug&limit=2&page=2', ['plain', 'simple']],
  ['s_one', '?sort=slug&limit=2&fallback_default_language=true', ['french', 'simple french']],
  ['s_one', '?sort=slug&limit=0', ['plain']],
  ['s_one', '?slug=same', ['plain', 'simple']],
  ['s_one', '/c_a', [...FEW, 'HEAD', 'other host', 'zstd']],
  ['s_two', '/c_a', [...FEW, 'another key']],
  ['s_one', '/c_b', ['plain', 'french']],
  ['s_one', '/c_b?fallback_default_language=true', ['french', 'german']],
  ['s_one', '/c_same', ['plain']],
  ['s_two', '/c_same', ['plain']],
  ['s_one', '/c_draft', ['plain', 'preview']],
];

/** All variants except those with validators, which are known only after the first responses. */
export function buildVariants(tokens: Tokens): readonly Variant[] {
  const changes: Readonly<Record<string, Change>> = listChanges(tokens);
  return REQUESTS.flatMap(([siteId, target, names]) =>
    (names === 'all' ? Object.keys(changes) : names).map((name) => {
      const { method = 'GET', headers = {} } = changes[name] ?? {};
      const common = { host: 'content.example', 'x-service-site': siteId, authorization: `Bearer ${tokens.both}` };
      return {
        name: `${siteId} ${target} (${name})`,
        method,
        target: `/api/v1/content${target}`,
        headers: { ...common, ...headers },
      };
    }),
  );
}

/** Some requests, each with its own validator and with that of another variant (a different site, language, mode or encoding). */
export function buildConditional(variants: readonly Variant[], answers: readonly Received[]): readonly Variant[] {
  const valid = variants.flatMap((variant, index) => {
    const etag = answers[index]?.headers.etag;
    return etag !== undefined && variant.method === 'GET' && / \((plain|french|simple|br)\)$/.test(variant.name)
      ? [{ variant, etag }]
      : [];
  });
  return valid.slice(0, 6).flatMap(({ variant, etag }, index) => {
    const build = (what: string, tag: string) => ({
      ...variant,
      name: `${variant.name}, ${what}`,
      headers: { ...variant.headers, 'if-none-match': tag },
    });
    return [build('own validator', etag), build('foreign validator', valid[index + 1]?.etag ?? '')];
  });
}
