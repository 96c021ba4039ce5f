// A request of the service: its headers and whatever else the client and the call have set. The call wins over the client,
// and both win over the library.

import type { CallOptions, ClientSettings } from './client-options.ts';
import type { ServiceRequest } from './send-request.ts';

const DEFAULT_TIMEOUT = 10_000;
const DEFAULT_ATTEMPTS = 4;
const DEFAULT_WITHIN = 10_000;

/**
 * @param path below the root, with its query
 * @param isSimple whether a list with page numbers is asked for
 */
export function buildRequest(
  client: ClientSettings,
  path: string,
  call: CallOptions,
  isSimple: boolean,
): ServiceRequest {
  const url = client.root + path;
  const prefix = client.headerPrefix;
  const own: Record<string, string | false | undefined> = {
    authorization: `Bearer ${client.apiKey}`,
    [`${prefix}-SITE`]: client.siteId,
    [`${prefix}-LANGUAGE`]: call.language ?? client.language,
    [`${prefix}-PREVIEW`]: (call.isPreview ?? client.isPreview) === true && 'true',
    [`${prefix}-SIMPLE-PAGINATION`]: isSimple && 'true',
  };
  const headers = new Headers({ accept: 'application/json' });
  for (const [name, value] of Object.entries(own)) if (value) headers.set(name, value);
  for (const given of [client.fetchOptions?.headers, call.fetchOptions?.headers]) {
    new Headers(given).forEach((value, name) => {
      headers.set(name, value);
    });
  }
  const retry = client.retry || { attempts: client.retry === false ? 1 : undefined };
  return {
    url,
    init: { ...client.fetchOptions, ...call.fetchOptions, headers },
    fetch: client.fetch ?? globalThis.fetch,
    signals: [call.signal, call.fetchOptions?.signal, client.fetchOptions?.signal],
    timeout: Number(call.timeout ?? client.timeout ?? DEFAULT_TIMEOUT),
    attempts: retry.attempts ?? DEFAULT_ATTEMPTS,
    within: retry.within ?? DEFAULT_WITHIN,
    store: client.store,
    storeKey: [url, ...Object.keys(own).map((name) => headers.get(name))].join('\n'),
  };
}
