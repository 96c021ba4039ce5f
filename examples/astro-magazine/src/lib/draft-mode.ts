// Draft mode is a cookie that only this site can create, because its value is signed with the preview secret.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AstroCookies } from 'astro';
import { readVariable } from './read-variable.ts';

const NAME = 'draft_mode';
const PLACE = { path: '/' } as const;

export function enterDraftMode(cookies: AstroCookies): void {
  const value = sign();
  if (value === undefined) throw new Error('GALLEY_PREVIEW_SECRET is not set.');
  // The admin panel may show the page in a frame, which browsers treat as cross-site: they then require SameSite=None and Secure.
  const reach = import.meta.env.DEV ? ({ sameSite: 'lax' } as const) : ({ sameSite: 'none', secure: true } as const);
  cookies.set(NAME, value, { ...PLACE, ...reach, httpOnly: true });
}

export function leaveDraftMode(cookies: AstroCookies): void {
  cookies.delete(NAME, PLACE);
}

export function isDraftMode(cookies: AstroCookies): boolean {
  const given = Buffer.from(cookies.get(NAME)?.value ?? '');
  if (given.length === 0) return false;
  const expected = Buffer.from(sign() ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Returns undefined if no secret is set; draft mode is then always off. */
function sign(): string | undefined {
  const secret = readVariable('GALLEY_PREVIEW_SECRET');
  if (!secret) return undefined;
  return createHmac('sha256', secret).update('draft mode').digest('base64url');
}
