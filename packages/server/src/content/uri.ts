// Where content lives below its site's address: no leading slash, `{slug}`, `{id}` and `{language}` filled in.

const PLACEHOLDER = /\{([^{}]*)\}/g;
const EMPTY_SEGMENT = /^\/|\/\/|\/$/;
const KNOWN_PLACEHOLDERS: ReadonlySet<string> = new Set(['slug', 'id', 'language']);

export const DEFAULT_URI_PATTERN = '{slug}';

/** For new types: with several languages, the versions of one page need a URL each. */
export function chooseUriPattern(languages: readonly string[]): string {
  return languages.length > 1 ? '{language}/{slug}' : DEFAULT_URI_PATTERN;
}

/** What an address of a web page can hold in its path as it is. */
const URI_PATTERN = /^(?!\/)[^\s?#\p{Cc}\p{Cs}]{0,1024}$/u;
/** A colon in the first segment makes a scheme of it, like `javascript:`; dots alone lead out of the site. */
const MISLEADING = /^[^/]*:|(?:^|\/)\.{1,2}(?:\/|$)/;

export const URI_RULE =
  'a path of at most 1024 characters without a leading slash, whitespace, control characters, ? and #, a colon in its first segment, and segments of dots alone';

export interface UriParts {
  readonly slug: string;
  readonly id: string;
  readonly language: string;
  readonly defaultLanguage: string;
}

/** The site's start page has the empty uri. */
export function isUri(text: string): boolean {
  return URI_PATTERN.test(text) && !MISLEADING.test(text);
}

/** The first thing wrong with a pattern, or undefined. */
export function findUriPatternFault(pattern: string): string | undefined {
  for (const [whole, name = ''] of pattern.matchAll(PLACEHOLDER)) {
    if (!KNOWN_PLACEHOLDERS.has(name)) return `${whole} is unknown; {slug}, {id} and {language} are allowed`;
  }
  if (/[{}]/.test(pattern.replaceAll(PLACEHOLDER, ''))) return 'a brace has no partner';
  return undefined;
}

/** Whether all content of a type and a language gets the same uri: meant for a page of which there is one, such as the start page. */
export function isFixedPattern(pattern: string): boolean {
  return !pattern.includes('{slug}') && !pattern.includes('{id}');
}

/** The default language has no segment of its own: `{language}/blog/{slug}` gives `blog/x` and `fr/blog/x`. */
export function buildUri(pattern: string, parts: UriParts): string {
  const filled = pattern.replaceAll(PLACEHOLDER, (_, name: string) => {
    if (name === 'slug') return parts.slug;
    if (name === 'id') return parts.id;
    return parts.language === parts.defaultLanguage ? '' : parts.language;
  });
  return EMPTY_SEGMENT.test(filled) ? filled.split('/').filter(Boolean).join('/') : filled;
}
