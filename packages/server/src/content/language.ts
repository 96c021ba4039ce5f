// Language tags of BCP 47: `en`, `pt-BR`, `zh-Hant`. Bundles may bring any tag of that shape, because older sites have them.
// Whoever names a language by hand must name a real one: `German` has the shape of a tag, and is none.

const LANGUAGE_PATTERN = /^(?=.{1,35}$)[A-Za-z]+(?:-[A-Za-z0-9]+)*$/;

export const LANGUAGE_RULE = 'a language tag like en or pt-BR of at most 35 characters';
export const REAL_LANGUAGE_RULE = 'the tag of a language, like de for German or pt-BR for Brazilian Portuguese';

export function isLanguage(text: string): boolean {
  return LANGUAGE_PATTERN.test(text);
}

/** Whether Unicode knows the language, and the script and region where the tag names them. */
export function isRealLanguage(text: string): boolean {
  const locale = isLanguage(text) ? parseLocale(text) : undefined;
  // `und` says that the language is not known.
  if (locale === undefined || locale.baseName.startsWith('und')) return false;
  const { language, script, region } = locale;
  // Rare languages have no name there, but a likely script.
  const isKnown = hasName('language', language) || new Intl.Locale(language).maximize().script !== undefined;
  return (
    isKnown &&
    (script === undefined || hasName('script', script)) &&
    (region === undefined || hasName('region', region))
  );
}

function hasName(type: 'language' | 'script' | 'region', code: string): boolean {
  return new Intl.DisplayNames('en', { type, fallback: 'none' }).of(code) !== undefined;
}

function parseLocale(text: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(text);
  } catch {
    return undefined;
  }
}
