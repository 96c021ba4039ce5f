// What a client is made with, found to be right. Wrong options are refused when the client is made, in a sentence that never
// repeats the API key.

import type { ClientOptions } from './client-options.ts';
import { type MergedOptions, mergeOptions } from './merge-options.ts';

/** Options that were found to be right, in a copy that the caller cannot change. */
export interface ClientSettings extends Omit<ClientOptions, 'fetchOptions'>, MergedOptions {
  /** The root of the API without a slash at its end. */
  readonly root: string;
  readonly headerPrefix: string;
}

export function parseOptions(options: ClientOptions): ClientSettings {
  const { apiURL, apiKey, siteId, headerPrefix } = options;
  const base = { ...options, headerPrefix: headerPrefix ?? 'X-SERVICE', root: parseRoot(apiURL) };
  return mergeOptions(base, { ...options, apiKey: apiKey ?? '', siteId: siteId ?? '' });
}

function parseRoot(apiURL: string): string {
  const [, origin, path = ''] = /^(https?:\/\/[^/?#@\\]+)(\/[^?#]*)?$/i.exec(String(apiURL).trim()) ?? [];
  try {
    return new URL(origin + (path.replace(/\/+$/, '') || '/api/v1')).href;
  } catch {
    throw new TypeError('apiURL must be an address like https://content.example/api/v1.');
  }
}
