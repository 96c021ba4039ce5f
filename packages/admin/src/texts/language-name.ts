// Finds and names languages. Tags are for machines, so the panel shows one only if two languages have the same name.

import { LANGUAGES, type Language } from './language-list.ts';

const LISTED = new Map(LANGUAGES.map(({ tag, name }) => [tag, name]));
const NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Undefined for a tag without a name. */
function findLanguageName(tag: string): string | undefined {
  try {
    return LISTED.get(tag) ?? NAMES.of(tag);
  } catch {
    return undefined;
  }
}

/**
 * `German` for `de`.
 * @param among the languages shown beside it. If another language has the same name, the result includes the tag:
 * `Chinese (zh)`
 */
export function nameLanguage(tag: string, among: readonly string[] = []): string {
  const name = findLanguageName(tag);
  if (name === undefined) return tag;
  return among.some((other) => other !== tag && findLanguageName(other) === name) ? `${name} (${tag})` : name;
}

/** Finds languages by English name, native name or tag, best match first. An unlisted tag, such as `de-LU`, must be typed in full. */
export function findLanguages(typed: string): readonly Language[] {
  const text = simplify(typed.trim());
  const ranked = LANGUAGES.flatMap((language) => {
    const rank = rankMatch(language, text);
    return rank === undefined ? [] : [{ language, rank }];
  }).toSorted((one, other) => one.rank - other.rank);
  const found = ranked.map(({ language }) => language);
  const unlisted = findUnlisted(typed.trim());
  return unlisted === undefined ? found : [unlisted, ...found];
}

function rankMatch({ tag, name, ownName }: Language, text: string): number | undefined {
  if (tag.toLowerCase() === text) return 0;
  const words = [name, ownName].map(simplify);
  if (words.includes(text)) return 1;
  if (words.some((word) => word.startsWith(text))) return 2;
  if (words.some((word) => word.includes(text)) || tag.toLowerCase().startsWith(text)) return 3;
  return undefined;
}

function findUnlisted(typed: string): Language | undefined {
  const tag = canonicalise(typed);
  const name = tag === undefined ? undefined : findLanguageName(tag);
  if (tag === undefined || name === undefined || LANGUAGES.some((listed) => listed.tag === tag)) return undefined;
  return { tag, name, ownName: name };
}

function canonicalise(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/** Removes accents and converts to lower case, so that people do not have to type accents or capitals. */
function simplify(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
