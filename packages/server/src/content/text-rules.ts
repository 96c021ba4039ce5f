// Rules for text values: plain text, names, language tags and emails. Each rule is described in words next to its check.

/** Text that every database engine and every JSON parser accepts unchanged. */
export const PLAIN_TEXT_RULE = 'well-formed Unicode text without NUL characters';

export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** A character is a Unicode code point, so an emoji counts as one. */
export function hasAtMostCharacters(text: string, most: number): boolean {
  return text.length <= most || countCharacters(text) <= most;
}

export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Control characters and characters that change the direction of text. They could make a label look like a different
 * label, or alter what a screen shows.
 */
export const UNFIT_CHARACTERS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

export function hasUnfitCharacters(text: string): boolean {
  return text.search(UNFIT_CHARACTERS) !== -1;
}

/** `é` can be one character or two. Labels that people type are stored in composed form, so that both spellings are equal. */
export function composeText(text: string): string {
  return text.normalize('NFC');
}

/** The maximum length of site, author, content and key names. */
export const MAX_NAME = 255;

export const NAME_RULE = `1 to ${MAX_NAME} characters and not blank`;

export function isName(text: string): boolean {
  return hasAtMostCharacters(text, MAX_NAME) && text.trim() !== '' && isPlainText(text);
}

export const DEFAULT_LANGUAGE = 'en';

/** The shape of BCP 47 tags: `en`, `pt-BR`, `zh-Hant`. Bundles may contain any tag of this shape, because older sites do. */
const LANGUAGE_PATTERN = /^(?=.{1,35}$)[A-Za-z]+(?:-[A-Za-z0-9]+)*$/;

export const LANGUAGE_RULE = 'a language tag like en or pt-BR of at most 35 characters';

export function isLanguage(text: string): boolean {
  return LANGUAGE_PATTERN.test(text);
}

/** For languages that people enter: `German` has the shape of a tag, but is not a known language. */
export const REAL_LANGUAGE_RULE = 'a known language tag, like de for German or pt-BR for Brazilian Portuguese';

/** Whether Unicode recognises the language, and the script and region if the tag has them. */
export function isRealLanguage(text: string): boolean {
  const locale = isLanguage(text) ? parseLocale(text) : undefined;
  // `und` stands for an undetermined language.
  if (locale === undefined || locale.baseName.startsWith('und')) return false;
  const { language, script, region } = locale;
  // Intl has no names for rare languages, but it returns their likely script.
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

const MAX_EMAIL = 254;
const LOCAL_PART = /^(?!\.)(?!.*\.\.)[^\s@"(),:;<>[\]\\\p{C}]{1,64}(?<!\.)$/u;
const DOMAIN_LABEL = /^(?!-)[\p{L}\p{N}\p{M}-]{1,63}(?<!-)$/u;

export const EMAIL_RULE = `an email address of at most ${MAX_EMAIL} characters, like ada@example.com`;

/** Ignores leading and trailing spaces. */
export function isEmail(text: string): boolean {
  const email = text.trim();
  if (!hasAtMostCharacters(email, MAX_EMAIL)) return false;
  const at = email.lastIndexOf('@');
  if (at === -1 || !LOCAL_PART.test(email.slice(0, at))) return false;
  return email
    .slice(at + 1)
    .split('.')
    .every((label) => DOMAIN_LABEL.test(label));
}

/** Two email addresses with the same key are treated as the same address. */
export function buildEmailKey(email: string): string {
  return email.trim().toLowerCase().normalize('NFC');
}
