// The names that people give to sites, authors, content and keys.

import { hasAtMostCharacters, isPlainText } from './plain-text.ts';

const MAX_NAME = 255;

export const NAME_RULE = `1 to ${MAX_NAME} characters that are not all blank`;

export function isName(text: string): boolean {
  return hasAtMostCharacters(text, MAX_NAME) && text.trim() !== '' && isPlainText(text);
}
