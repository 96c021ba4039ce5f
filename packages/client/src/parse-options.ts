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
  const missing = (['apiURL', 'apiKey', 'siteId'] as const).filter((name) => !options?.[name]).join(', ');
  if (missing) throw new TypeError(`Missing: ${missing}. Check the environment variables.`);
  return mergeOptions({ ...options, headerPrefix: 'X-SERVICE', root: parseRoot(options.apiURL) }, options);
}

/** The address of the list endpoint is refused: everything below it would be missing. */
const ROOT = /^(https?:\/\/[^/?#@\\]+)((?:\/(?!content\/*$)[^/?#]*)*?)\/*$/i;

function parseRoot(apiURL: string): string {
  const [, origin, path] = ROOT.exec(String(apiURL).trim()) ?? [];
  try {
    return new URL(origin + (path || '/api/v1')).href;
  } catch {
    throw new TypeError('apiURL must be the root of the API like https://content.example/api/v1, without /content.');
  }
}
