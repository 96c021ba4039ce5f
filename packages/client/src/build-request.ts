// A request of the service: its headers and whatever else the client and the call have set. The call wins over the client,
// and both win over the library.

import { mergeHeaders } from './merge-options.ts';
import type { ClientSettings } from './parse-options.ts';
import type { ServiceRequest } from './send-request.ts';

/** @param path of one content object; empty for a list */
export function buildRequest(settings: ClientSettings, path: string, query: string): ServiceRequest {
  const url = `${settings.root}/content${path}${query && '?'}${query}`;
  const prefix = settings.headerPrefix;
  const preview = `${prefix}-PREVIEW`;
  const own: Record<string, string | false | undefined> = {
    accept: 'application/json',
    authorization: `Bearer ${settings.apiKey}`,
    [`${prefix}-SITE`]: settings.siteId,
    [`${prefix}-LANGUAGE`]: settings.language,
    [preview]: settings.isPreview && 'true',
    [`${prefix}-SIMPLE-PAGINATION`]: settings.simplePagination && 'true',
  };
  const defaults = new Headers();
  for (const [name, value] of Object.entries(own)) if (value) defaults.set(name, value);
  const headers = mergeHeaders(defaults, settings.fetchOptions.headers);
  // A caller that asks by a tag of its own has the body that belongs to it. Previews are not to be kept anywhere.
  const isOutside = headers.has('if-none-match') || headers.has(preview);
  return {
    ...settings,
    url,
    init: { ...settings.fetchOptions, headers },
    store: isOutside ? undefined : settings.store,
    storeKey: [url, ...Object.keys(own).map((name) => headers.get(name))].join('\n'),
  };
}
