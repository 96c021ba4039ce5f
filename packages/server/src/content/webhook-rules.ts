// Rules for webhook settings.

import { isPlainText } from './text-rules.ts';

export const MOST_WEBHOOKS = 50;
export const MOST_HEADERS = 20;

const MOST_URL_CHARACTERS = 2000;
const MOST_VALUE_CHARACTERS = 4000;

export const WEBHOOK_URL_RULE = `an http(s) URL of at most ${MOST_URL_CHARACTERS} characters without a user name, password or fragment`;

export function isWebhookUrl(text: string): boolean {
  if (text.length > MOST_URL_CHARACTERS || !isPlainText(text) || /[\s\p{Cc}#]/u.test(text)) return false;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/i;
/** The headers that Galley sets itself, and those that concern the connection rather than the call. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** Returns what is wrong with the name of a custom header; undefined if nothing is. */
export function findHeaderNameFault(name: string): string | undefined {
  if (!HEADER_NAME.test(name)) return 'must have a name of 1 to 100 characters that HTTP allows in header names';
  const isReserved = RESERVED_HEADERS.has(name.toLowerCase()) || name.toLowerCase().startsWith('webhook-');
  return isReserved ? 'cannot be set, because Galley or the connection sets this header' : undefined;
}

/** Error messages must not quote the value, because it is secret. */
export const HEADER_VALUE_RULE = `must be text of 1 to ${MOST_VALUE_CHARACTERS} printable ASCII characters that neither starts nor ends with a space`;

export function isHeaderValue(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MOST_VALUE_CHARACTERS) return false;
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}

const SECRET_PREFIX = 'whsec_';
export const SECRET_BYTES = 32;

/** A secret in the Standard Webhooks format. */
export function buildWebhookSecret(bytes: Buffer): string {
  return `${SECRET_PREFIX}${bytes.toString('base64')}`;
}
