// The members of a site as they are given, in bundles and to the management API.

import { z } from 'zod';
import { isLanguage, LANGUAGE_RULE } from './language.ts';
import { textMember } from './schema-members.ts';
import { parseSiteUrl, SITE_URL_RULE } from './web-address.ts';

export const DEFAULT_LANGUAGE = 'en';

export const languageMember = textMember(LANGUAGE_RULE, isLanguage);

export const languagesMember = z.array(languageMember, { error: 'must be an array of language tags' });

/** Without a trailing slash. */
export const siteUrlMember = textMember(SITE_URL_RULE, (text) => parseSiteUrl(text) !== undefined).transform(
  (text) => parseSiteUrl(text) ?? text,
);

interface GivenLanguages {
  readonly default_language: string;
  readonly languages: readonly string[] | undefined;
}

/** A site that names no languages has its default language alone. */
export function completeLanguages<Given extends GivenLanguages>(given: Given, context: z.RefinementCtx) {
  const { default_language: defaultLanguage } = given;
  const languages = given.languages ?? [defaultLanguage];
  if (new Set(languages).size < languages.length) {
    const message = 'must not name a language twice';
    context.issues.push({ code: 'custom', path: ['languages'], message, input: languages });
  }
  if (!languages.includes(defaultLanguage)) {
    const message = `must contain the default_language ${defaultLanguage}`;
    context.issues.push({ code: 'custom', path: ['languages'], message, input: languages });
  }
  return { ...given, languages };
}
