// Passwords: which ones are accepted, how they are generated, and how they are stored.

import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Fault } from '../../content/fault.ts';
import { buildEmailKey, countCharacters, hasAtMostCharacters } from '../../content/text-rules.ts';

/** NIST recommends long passwords without rules about their characters. */
const LEAST_CHARACTERS = 12;
export const MOST_PASSWORD_CHARACTERS = 200;

const PASSWORD_RULE = `must be ${LEAST_CHARACTERS} to ${MOST_PASSWORD_CHARACTERS} characters long, and must not be the user's name or email address`;

export interface PasswordOwner {
  readonly email: string;
  readonly name: string;
}

/** The fault states the rule and never quotes the password. */
export function findPasswordFaults(path: string, password: string, { email, name }: PasswordOwner): readonly Fault[] {
  const isLongEnough = countCharacters(password.slice(0, 2 * LEAST_CHARACTERS)) >= LEAST_CHARACTERS;
  const isFine =
    isLongEnough &&
    hasAtMostCharacters(password, MOST_PASSWORD_CHARACTERS) &&
    ![email, name].map(buildEmailKey).includes(buildEmailKey(password));
  if (isFine) return [];
  const values = { min: LEAST_CHARACTERS, max: MOST_PASSWORD_CHARACTERS };
  return [{ path, message: PASSWORD_RULE, code: 'password_invalid', values }];
}

/** Crockford's digits, which are easy to tell apart. There are 32 of them, so mapping bytes to digits introduces no bias. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUP = 5;

export const PASSWORD_BYTES = 20;

/**
 * Builds a password that is easy to read aloud and type: 100 bits in groups of five characters.
 * @param randomBytes PASSWORD_BYTES bytes from a cryptographically secure source
 */
export function buildPassword(randomBytes: Buffer): string {
  const digits = Array.from(randomBytes, (byte) => DIGITS.charAt(byte % DIGITS.length));
  return digits.map((digit, index) => (index > 0 && index % GROUP === 0 ? `-${digit}` : digit)).join('');
}

interface Cost {
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** One of the configurations that OWASP recommends: 19 MiB and two passes, which take about 30 ms. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
export const SALT_BYTES = 16;

const PHC_PATTERN = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Hashing uses Node's small thread pool, which the service also needs for other work. */
const MOST_AT_ONCE = 2;

const derive = promisify(argon2);

/**
 * Returns an argon2id hash as a PHC string. The string contains its parameters, so they can be raised later.
 * @param salt SALT_BYTES bytes from a cryptographically secure source
 */
export async function hashPassword(password: string, salt: Buffer): Promise<string> {
  const tag = await deriveTag(password, salt, TAG_BYTES, COST);
  return `${buildStart(COST)}${encodeBase64(salt)}$${encodeBase64(tag)}`;
}

/** Takes the same time whether the password is right or wrong. */
export async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC_PATTERN.exec(passwordHash) ?? [];
  if (memory === undefined) throw new Error('A stored password hash cannot be parsed');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const expected = Buffer.from(tag, 'base64');
  return timingSafeEqual(await deriveTag(password, Buffer.from(salt, 'base64'), expected.length, cost), expected);
}

/** Whether the hash was created with the current parameters. */
export function isHashCurrent(passwordHash: string): boolean {
  return passwordHash.startsWith(buildStart(COST));
}

/**
 * A hash that no password matches. Checking a password against this hash takes as long as checking it against a real
 * hash.
 */
export const NOBODYS_HASH = `${buildStart(COST)}${encodeBase64(Buffer.alloc(SALT_BYTES))}$${encodeBase64(Buffer.alloc(TAG_BYTES))}`;

function buildStart({ memory, passes, parallelism }: Cost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`;
}

function encodeBase64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

let running = 0;
const waiting: (() => void)[] = [];

async function deriveTag(password: string, salt: Buffer, tagLength: number, cost: Cost): Promise<Buffer> {
  if (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    // Depending on the keyboard, the same character can be typed as different code points.
    const message = password.normalize('NFKC');
    return await derive('argon2id', { message, nonce: salt, tagLength, ...cost });
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
