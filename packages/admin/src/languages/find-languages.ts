// Finds languages by what people may type: the English name, the own name, or the tag.

import { LANGUAGES, type Language } from './language-list.ts';
import { findLanguageName } from './language-name.ts';

/** The best matches first. A tag that is not listed is found when it is typed in full, like `de-LU`. */
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

/** Nobody has to type accents or capitals. */
function simplify(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
