// The tokens of API keys, of the management API and of the set-up. Each kind has its own prefix. The first two are shown once
// and stored as a hash.

import { hash, timingSafeEqual } from 'node:crypto';

export const TOKEN_BYTES = 30;

/** People, and scanners that look for leaked secrets, recognise the kind by its prefix. */
const TOKEN_STARTS = { delivery: 'gk_', management: 'gm_', setUp: 'gs_' } as const;

export type TokenKind = keyof typeof TOKEN_STARTS;

const SHOWN_CHARACTERS = 10;

/** @param randomBytes from a source that cannot be guessed; keys and management tokens have TOKEN_BYTES of them */
export function buildToken(kind: TokenKind, randomBytes: Buffer): string {
  return `${TOKEN_STARTS[kind]}${randomBytes.toString('base64url')}`;
}

/** Tokens are long and random, so a plain hash is as safe as a slow one, and takes a microsecond. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Enough to recognise a token in a list, too little to use it. */
export function shortenToken(token: string): string {
  return token.slice(0, SHOWN_CHARACTERS);
}

/** Compares hashes, so that the time does not reveal where the tokens differ. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}

/** The highest rate limit that an API key can have. */
export const MOST_REQUESTS_A_MINUTE = 1_000_000_000;
