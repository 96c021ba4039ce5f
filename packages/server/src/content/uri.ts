// A content object's path, relative to its site's URL: without a leading slash, and with `{slug}`, `{id}` and `{language}` filled in.

const PLACEHOLDER = /\{([^{}]*)\}/g;
const EMPTY_SEGMENT = /^\/|\/\/|\/$/;
const KNOWN_PLACEHOLDERS: ReadonlySet<string> = new Set(['slug', 'id', 'language']);

export const DEFAULT_URI_PATTERN = '{slug}';

/** For new types. If a site has several languages, each translation of a page needs its own URL. */
export function chooseUriPattern(languages: readonly string[]): string {
  return languages.length > 1 ? '{language}/{slug}' : DEFAULT_URI_PATTERN;
}

/** Characters that a URL path can contain unescaped. */
const URI_PATTERN = /^(?!\/)[^\s?#\p{Cc}\p{Cs}]{0,1024}$/u;
/**
 * A colon would turn the first segment into a scheme, such as `javascript:`, and a segment that consists only of dots could point outside
 * the site.
 */
const MISLEADING = /^[^/]*:|(?:^|\/)\.{1,2}(?:\/|$)/;

export const URI_RULE =
  'a path of at most 1024 characters without a leading slash, whitespace, control characters, ? or #, a colon in its first segment, or segments of only dots';

export interface UriParts {
  readonly slug: string;
  readonly id: string;
  readonly language: string;
  readonly defaultLanguage: string;
}

/** The site's home page has an empty uri. */
export function isUri(text: string): boolean {
  return URI_PATTERN.test(text) && !MISLEADING.test(text);
}

/** The first fault in a pattern, or undefined. */
export function findUriPatternFault(pattern: string): string | undefined {
  for (const [whole, name = ''] of pattern.matchAll(PLACEHOLDER)) {
    if (!KNOWN_PLACEHOLDERS.has(name)) return `${whole} is unknown; {slug}, {id} and {language} are allowed`;
  }
  if (/[{}]/.test(pattern.replaceAll(PLACEHOLDER, ''))) return 'a brace is unmatched';
  return undefined;
}

/** Whether all content of the type in one language has the same uri, as is the case for a home page. */
export function isFixedPattern(pattern: string): boolean {
  return !pattern.includes('{slug}') && !pattern.includes('{id}');
}

/** The default language has no segment: `{language}/blog/{slug}` results in `blog/x` and `fr/blog/x`. */
export function buildUri(pattern: string, parts: UriParts): string {
  const filled = pattern.replaceAll(PLACEHOLDER, (_, name: string) => {
    if (name === 'slug') return parts.slug;
    if (name === 'id') return parts.id;
    return parts.language === parts.defaultLanguage ? '' : parts.language;
  });
  return EMPTY_SEGMENT.test(filled) ? filled.split('/').filter(Boolean).join('/') : filled;
}
