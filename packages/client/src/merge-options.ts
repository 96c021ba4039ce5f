// Options of a call on top of those of the client, or of a page that follows on top of those of the page before it: what is
// given last wins, what is undefined is not given. The result is a copy.

import { checkValue, isRecord } from './check-value.ts';
import type { CallOptions, ClientOptions, RequestOptions } from './client-options.ts';
import type { MaybeSignal } from './follow-signals.ts';

export interface MergedOptions {
  /** Its signal is that of the client: pages that follow keep it, and drop the signals of the call. */
  readonly fetchOptions: RequestInit & { readonly headers: Headers };
  /** All that can end the call. */
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
