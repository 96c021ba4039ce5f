// The tokens for API keys, the management API, the initial set-up, previews and share links. Each kind has its own prefix. The tokens for
// API keys, the management API and share links are shown only once and stored as hashes.

import { hash, timingSafeEqual } from 'node:crypto';

export const TOKEN_BYTES = 30;

/** The prefix identifies the kind, for people and for scanners that look for leaked secrets. */
const TOKEN_STARTS = { delivery: 'gk_', management: 'gm_', setUp: 'gs_', preview: 'gps_', share: 'gsh_' } as const;

export type TokenKind = keyof typeof TOKEN_STARTS;

const SHOWN_CHARACTERS = 10;

/** @param randomBytes bytes from an unpredictable source; `TOKEN_BYTES` of them for keys and management tokens */
export function buildToken(kind: TokenKind, randomBytes: Buffer): string {
  return `${TOKEN_STARTS[kind]}${randomBytes.toString('base64url')}`;
}

/** The start of a token identifies its kind, but does not show whether the token is valid. */
export function hasKind(token: string, kind: TokenKind): boolean {
  return token.startsWith(TOKEN_STARTS[kind]);
}

/** A site's preview secret and the token of a share link work like API keys that can only read previews. */
export function isPreviewToken(token: string): boolean {
  return hasKind(token, 'preview') || hasKind(token, 'share');
}

/** Tokens are long and random, so a plain hash is as safe as a slow one, and takes only a microsecond. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Keeps enough to recognise a token in a list, but not enough to use it. */
export function shortenToken(token: string): string {
  return token.slice(0, SHOWN_CHARACTERS);
}

/** Compares hashes, so the timing does not reveal where the tokens differ. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}

/** The maximum rate limit for an API key. */
export const MOST_REQUESTS_A_MINUTE = 1_000_000_000;
