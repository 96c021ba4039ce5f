// How passwords are kept: argon2id, as a PHC string that holds the parameters it was made with, so that they can rise.

import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

interface Cost {
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's first recommendation that is not bound to one core: 19 MiB and two passes, some 30 ms. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
export const SALT_BYTES = 16;

const PHC_PATTERN = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Hashing takes Node's few threads, which the service needs for other work as well. */
const MOST_AT_ONCE = 2;

const derive = promisify(argon2);

/** @param salt SALT_BYTES of them, from a source that cannot be guessed */
export async function hashPassword(password: string, salt: Buffer): Promise<string> {
  const tag = await deriveTag(password, salt, TAG_BYTES, COST);
  return `${buildStart(COST)}${encodeBase64(salt)}$${encodeBase64(tag)}`;
}

/** Takes as long for a wrong password as for the right one. */
export async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC_PATTERN.exec(passwordHash) ?? [];
  if (memory === undefined) throw new Error('A stored password hash cannot be read');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const expected = Buffer.from(tag, 'base64');
  return timingSafeEqual(await deriveTag(password, Buffer.from(salt, 'base64'), expected.length, cost), expected);
}

/** Whether the hash was made as a new one would be. */
export function isHashCurrent(passwordHash: string): boolean {
  return passwordHash.startsWith(buildStart(COST));
}

/** A hash that no password is known for: checking against it costs what checking against a real one does. */
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
    // The same characters can be typed as different code points, depending on the keyboard.
    const message = password.normalize('NFKC');
    return await derive('argon2id', { message, nonce: salt, tagLength, ...cost });
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
