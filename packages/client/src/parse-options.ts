// Merges and checks the options for a client, a call and a later page. Later options override earlier ones; undefined is treated as unset.
// The error message for an invalid option never contains the API key.

import { checkValue, isRecord } from './check-value.ts';
import type { CallOptions, ClientOptions, RequestOptions } from './client-options.ts';
import type { MaybeSignal } from './follow-signals.ts';

/** Valid options, in a copy that the caller cannot change. */
export interface ClientSettings extends Omit<ClientOptions, 'fetchOptions'>, MergedOptions {
  /** The root of the API, without a trailing slash. */
  readonly root: string;
  readonly headerPrefix: string;
}

export function parseOptions(options: ClientOptions): ClientSettings {
  const missing = (['apiURL', 'apiKey', 'siteId'] as const).filter((name) => !options?.[name]).join(', ');
  if (missing) throw new TypeError(`Missing: ${missing}. Check the environment variables.`);
  return mergeOptions({ ...options, headerPrefix: 'X-SERVICE', root: parseRoot(options.apiURL) }, options);
}

/** Excludes the URL of the list endpoint, which is not the root of the API. */
const ROOT = /^(https?:\/\/[^/?#@\\]+)((?:\/(?!content\/*$)[^/?#]*)*?)\/*$/i;

function parseRoot(apiURL: string): string {
  const [, origin, path] = ROOT.exec(String(apiURL).trim()) ?? [];
  try {
    return new URL(origin + (path || '/api/v1')).href;
  } catch {
    throw new TypeError(
      'apiURL must be the root of the API, such as https://content.example/api/v1, without /content.',
    );
  }
}

interface MergedOptions {
  /** Includes the client's signal, which also applies to later pages, but not the call's own signal. */
  readonly fetchOptions: RequestInit & { readonly headers: Headers };
  /** All signals that can abort the call. */
  readonly signals: readonly MaybeSignal[];
}

type Rule = readonly [isRight: (value: unknown) => boolean, needed: string];

const TOKEN: Rule = [(value) => typeof value === 'string' && /^[!-~]+$/.test(value), 'ASCII without spaces'];
const SWITCH: Rule = [(value) => typeof value === 'boolean', 'true or false'];
const isFunction = (value: unknown): boolean => typeof value === 'function';

const RULES: Readonly<Record<string, Rule>> = {
  apiKey: TOKEN,
  siteId: TOKEN,
  language: TOKEN,
  headerPrefix: TOKEN,
  isPreview: SWITCH,
  simplePagination: SWITCH,
  fallbackDefaultLanguage: SWITCH,
  timeout: [(value) => value === false || (typeof value === 'number' && value >= 0), 'false or at least 0'],
  fetch: [isFunction, 'a function'],
  store: [(value) => isRecord(value) && isFunction(value.get) && isFunction(value.set), 'an AnswerStore'],
};

/** @returns a copy */
export function mergeOptions<Base extends RequestOptions>(
  base: Base,
  given?: (CallOptions & Partial<ClientOptions>) | null,
): Base & MergedOptions {
  const call = given ?? {};
  const merged = { ...base };
  for (const [name, value] of Object.entries(call)) {
    if (value === undefined || value === null) continue;
    const rule = RULES[name];
    if (rule) checkValue(name, rule[0](value), rule[1]);
    Object.assign(merged, { [name]: value });
  }
  const [old, own] = [base.fetchOptions, call.fetchOptions];
  return Object.assign(merged, {
    fetchOptions: { ...old, ...own, signal: old?.signal ?? null, headers: mergeHeaders(old?.headers, own?.headers) },
    signals: [call.signal, own?.signal, old?.signal],
  });
}

export function mergeHeaders(base: RequestInit['headers'], given: RequestInit['headers']): Headers {
  const headers = new Headers(base);
  new Headers(given).forEach((value, name) => {
    headers.set(name, value);
  });
  return headers;
}
