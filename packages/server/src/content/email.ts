// Emails of people who sign in: kept as they were given, compared by their key.

import { hasAtMostCharacters } from './plain-text.ts';

const MAX_EMAIL = 254;
const LOCAL_PART = /^(?!\.)(?!.*\.\.)[^\s@"(),:;<>[\]\\\p{C}]{1,64}(?<!\.)$/u;
const DOMAIN_LABEL = /^(?!-)[\p{L}\p{N}\p{M}-]{1,63}(?<!-)$/u;

export const EMAIL_RULE = `an email address of at most ${MAX_EMAIL} characters, like ada@example.com`;

/** Blanks around it do not count. */
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

/** Two emails with the same key are the same email. */
export function buildEmailKey(email: string): string {
  return email.trim().toLowerCase().normalize('NFC');
}
