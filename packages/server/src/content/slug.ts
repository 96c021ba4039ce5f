// A slug is one segment of a URL. Letters from all scripts are allowed, because imports contain them. Slugs generated from names are
// lowercase, have no accents, and have dashes between words.

const SLUG_PATTERN = /^(?!\.{1,2}$)[^\s/?#%&\p{Cc}\p{Cs}]{1,255}$/u;

export const SLUG_RULE = '1 to 255 characters without whitespace, control characters or / ? # % &, and not only dots';

export function isSlug(text: string): boolean {
  return SLUG_PATTERN.test(text);
}

const MOST_CHARACTERS = 80;
const APOSTROPHES = /['’ʼ]/g;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu;
const MARK = /\p{M}/u;
const ACCENTED_SCRIPT = /[\p{Script=Latin}\p{Script=Greek}]/u;
const EDGE_DASHES = /^-+|-+$/g;
/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
/** The slug for names without any letters or digits. */
const NAMELESS = 'untitled';

export function makeSlug(name: string): string {
  const words = stripMarks(name.toLowerCase())
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(APOSTROPHES, '')
    .replace(SEPARATORS, '-')
    .replace(EDGE_DASHES, '');
  const slug = cut(words, MOST_CHARACTERS);
  return isSlug(slug) ? slug : NAMELESS;
}

/** The same slug with a number at the end, within the length limit. */
export function numberSlug(slug: string, number: number): string {
  const end = `-${number}`;
  return `${cut(slug, MOST_CHARACTERS - end.length)}${end}`;
}

/** Whether the slug was generated from the name, with or without a number. */
export function isSlugOf(slug: string, name: string): boolean {
  const made = makeSlug(name);
  if (slug === made) return true;
  const number = Number(/-([1-9]\d{0,8})$/.exec(slug)?.[1] ?? 0);
  return number > 1 && slug === numberSlug(made, number);
}

/** Removes accents from Latin and Greek letters, and keeps the marks that are part of the spelling in other scripts. */
function stripMarks(text: string): string {
  let stripped = '';
  let base = '';
  for (const character of text.normalize('NFKD')) {
    if (!MARK.test(character)) base = character;
    else if (ACCENTED_SCRIPT.test(base)) continue;
    stripped += character;
  }
  return stripped.normalize('NFC');
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : characters.slice(0, most).join('').replace(EDGE_DASHES, '');
}
