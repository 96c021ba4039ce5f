// A slug is one segment of an address. Letters of every script are allowed, because imports bring them.

const SLUG_PATTERN = /^(?!\.{1,2}$)[^\s/?#%&\p{Cc}\p{Cs}]{1,255}$/u;

export const SLUG_RULE = '1 to 255 characters without whitespace, control characters and / ? # % &, and not dots alone';

export function isSlug(text: string): boolean {
  return SLUG_PATTERN.test(text);
}
