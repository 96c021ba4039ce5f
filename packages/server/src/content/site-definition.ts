// The members of a site as they are given, in bundles and to the management API.

import { z } from 'zod';
import { isLanguage, isRealLanguage, LANGUAGE_RULE, REAL_LANGUAGE_RULE } from './language.ts';
import { textMember } from './schema-members.ts';
import { parseSiteUrl, SITE_URL_RULE } from './web-address.ts';

export const DEFAULT_LANGUAGE = 'en';

export const languageMember = textMember(LANGUAGE_RULE, isLanguage);

/** For what is new; bundles may bring sites that were made before. */
export const realLanguageMember = textMember(REAL_LANGUAGE_RULE, isRealLanguage);

const LANGUAGES_RULE = { error: 'must be an array of language tags' } as const;

export const languagesMember = z.array(languageMember, LANGUAGES_RULE);
export const realLanguagesMember = z.array(realLanguageMember, LANGUAGES_RULE);

/** Without a trailing slash. */
export const siteUrlMember = textMember(SITE_URL_RULE, (text) => parseSiteUrl(text) !== undefined).transform(
  (text) => parseSiteUrl(text) ?? text,
);

interface GivenLanguages {
  readonly default_language: string;
  readonly languages: readonly string[] | undefined;
}

/** To be run always: what is given may be wrong. A default language that is wrong is no language to ask for. */
export function checkLanguages(
  { default_language: defaultLanguage, languages }: { readonly [Name in keyof GivenLanguages]?: unknown },
  context: z.RefinementCtx,
): void {
  if (!Array.isArray(languages)) return;
  if (new Set(languages).size < languages.length) {
    context.addIssue({ code: 'custom', path: ['languages'], message: 'must not name a language twice' });
  }
  if (typeof defaultLanguage !== 'string' || !isLanguage(defaultLanguage)) return;
  if (!languages.includes(defaultLanguage)) {
    const message = `must contain the default_language ${defaultLanguage}`;
    context.addIssue({ code: 'custom', path: ['languages'], message });
  }
}

/** A site that names no languages has its default language alone. */
export function completeLanguages<Given extends GivenLanguages>(given: Given) {
  return { ...given, languages: given.languages ?? [given.default_language] };
}
