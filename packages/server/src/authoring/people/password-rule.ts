// Which passwords are taken: long ones, as NIST advises, with no rule about what they are made of.

import { buildEmailKey } from '../../content/email.ts';
import type { Fault } from '../../content/fault.ts';
import { countCharacters, hasAtMostCharacters } from '../../content/plain-text.ts';

const LEAST_CHARACTERS = 12;
export const MOST_PASSWORD_CHARACTERS = 200;

const PASSWORD_RULE = `must be ${LEAST_CHARACTERS} to ${MOST_PASSWORD_CHARACTERS} characters long, and neither the email nor the name`;

export interface PasswordOwner {
  readonly email: string;
  readonly name: string;
}

/** The fault says the rule and never the password. */
export function findPasswordFaults(path: string, password: string, { email, name }: PasswordOwner): readonly Fault[] {
  const isLongEnough = countCharacters(password.slice(0, 2 * LEAST_CHARACTERS)) >= LEAST_CHARACTERS;
  const isFine =
    isLongEnough &&
    hasAtMostCharacters(password, MOST_PASSWORD_CHARACTERS) &&
    ![email, name].map(buildEmailKey).includes(buildEmailKey(password));
  return isFine ? [] : [{ path, message: PASSWORD_RULE }];
}
