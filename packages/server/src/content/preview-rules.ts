// Rules for preview addresses, and the URL that opens a preview on a website. The panel's security policy contains the origins of the
// addresses, so an address must not contain anything that has a special meaning there.

import { hasAtMostCharacters } from './text-rules.ts';

export const MOST_PREVIEW_ADDRESSES = 10;

const MOST_CHARACTERS = 2000;

/** A website that can show drafts. */
export interface PreviewAddress {
  readonly id: string;
  readonly name: string;
  /** An origin, with an optional path and without a trailing slash. */
  readonly address: string;
  /** Null for the default pattern. */
  readonly pattern: string | null;
}

export const PREVIEW_ADDRESS_RULE = `an http(s) URL of at most ${MOST_CHARACTERS} characters, like https://site.example or http://localhost:4000/blog, without a user name, query, fragment, wildcard, spaces, quotes or semicolons`;

const UNFIT_FOR_ADDRESS = /[\s"'`*;,\\<>?#{}|^\p{Cc}\p{Cs}]/u;
/** Security policies support only these hosts. They do not support IPv6 addresses. */
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/** Returns the address in its normal form; undefined if it is invalid. */
export function parsePreviewAddress(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS || UNFIT_FOR_ADDRESS.test(text)) return undefined;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { origin, hostname, pathname, username, password } = new URL(text);
  if (!HOST.test(hostname) || username !== '' || password !== '') return undefined;
  const address = `${origin}${pathname.replace(/\/+$/, '')}`;
  return address.length <= MOST_CHARACTERS ? address : undefined;
}

const USUAL_PATTERN = '{base}/api/draft?secret={secret}&id={id}';
const SECRET_PLACE = '{secret}';

export const PREVIEW_PATTERN_RULE = `a pattern of at most ${MOST_CHARACTERS} printable ASCII characters that starts with {base}/ or {base}?, contains {id}, and may contain {secret} and {language}, like {base}/preview?id={id}&token={secret}`;

/** Any character after `{base}` other than `/` or `?` could become part of the host, as in `{base}.evil.example`. */
export function isPreviewPattern(text: string): boolean {
  if (!hasAtMostCharacters(text, MOST_CHARACTERS) || !/^\{base\}[/?][\x21-\x7e]*$/.test(text)) return false;
  const rest = text.slice('{base}'.length).replaceAll(/\{(?:id|secret|language)\}/g, '');
  return text.includes('{id}') && !/["'`\\<>{}]/.test(rest);
}

/** The maximum number of links to one content object that can be valid at the same time. */
export const MOST_SHARE_LINKS = 50;

export const MOST_SHARED_HOURS = 720;
export const USUAL_SHARED_HOURS = 168;

/** The rate limit of a preview secret, which a website uses for all its editors. */
export const PREVIEW_REQUESTS_A_MINUTE = 6000;

/** The rate limit of a share link. Its requests always read the database, and the link may be passed on to anybody. */
export const SHARED_REQUESTS_A_MINUTE = 600;

/** A website whose pattern does not contain the secret cannot tell people with a share link from anybody else. */
export function canShare({ pattern }: Pick<PreviewAddress, 'pattern'>): boolean {
  return (pattern ?? USUAL_PATTERN).includes(SECRET_PLACE);
}

export interface PreviewedContent {
  readonly id: string;
  readonly language: string;
}

/** @param secret the site's secret, or the token of a share link */
export function buildPreviewUrl(
  { address, pattern }: Pick<PreviewAddress, 'address' | 'pattern'>,
  { id, language }: PreviewedContent,
  secret: string,
): string {
  const values: Readonly<Record<string, string>> = { id, language, secret };
  const [, rest = ''] = (pattern ?? USUAL_PATTERN).split('{base}');
  return address + rest.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

/** The name that the panel and a website use in their messages: the header prefix without `X-`. */
export function readBrand(headerPrefix: string): string {
  return headerPrefix.toLowerCase().replace(/^x-/, '');
}
