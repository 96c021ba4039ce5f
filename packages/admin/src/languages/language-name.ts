// What people call a language. Tags are for machines: the panel shows one only where two languages have the same name.

import { LANGUAGES } from './language-list.ts';

const LISTED = new Map(LANGUAGES.map(({ tag, name }) => [tag, name]));
const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Undefined for a tag that nobody has given a name. */
export function findLanguageName(tag: string): string | undefined {
  try {
    return LISTED.get(tag) ?? NAMES.of(tag);
  } catch {
    return undefined;
  }
}

/**
 * `German` for `de`.
 * @param among the languages that it must not be taken for: then it is `Chinese (zh)`, beside `Chinese (cmn)`
 */
export function nameLanguage(tag: string, among: readonly string[] = []): string {
  const name = findLanguageName(tag);
  if (name === undefined) return tag;
  return among.some((other) => other !== tag && findLanguageName(other) === name) ? `${name} (${tag})` : name;
}
