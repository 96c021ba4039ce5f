// The tokens of API keys and of the management API: shown once, kept as a hash, told apart by their beginning.

import { hash } from 'node:crypto';

export const TOKEN_BYTES = 30;

/** The beginning tells the kinds apart, for people and for scanners that look for leaked secrets. */
const TOKEN_STARTS = { delivery: 'gk_', management: 'gm_' } as const;

export type TokenKind = keyof typeof TOKEN_STARTS;

const SHOWN_CHARACTERS = 10;

/** @param randomBytes TOKEN_BYTES of them, from a source that cannot be guessed */
export function buildToken(kind: TokenKind, randomBytes: Buffer): string {
  return `${TOKEN_STARTS[kind]}${randomBytes.toString('base64url')}`;
}

/** Tokens are long and random, so a plain hash keeps them as safe as a slow one, and costs a microsecond. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Enough to recognise a key in a list, too little to use it. */
export function shortenToken(token: string): string {
  return token.slice(0, SHOWN_CHARACTERS);
}
