// Adds the methods that follow changes to a client. This is a separate function, so that pages that only read content do not load these
// methods.

import type { ChangeMethods, ChangesClient, ChangesClientOptions, FollowChangesOptions } from './changes-client.ts';
import { checkText, checkValue, isRecord } from './check-value.ts';
import type { Client } from './client.ts';
import { createClient } from './create-client.ts';
import type { ChangesRequest } from './follow-changes.ts';
import { NOW, notifyListener } from './notify-listener.ts';
import { mergeOptions, parseOptions } from './parse-options.ts';
import type { AnySite, Plain, PreviewOf, SiteShape } from './site.ts';
import { syncStore } from './sync-store.ts';

/**
 * Creates a client that also follows changes. It has all the methods of a client from `createClient`, plus `sync` and `subscribe`.
 *
 * @example
 * const follower = createChangesClient<Site>({ apiURL, apiKey, siteId });
 * await follower.sync(createMemoryMirror());
 *
 * @throws TypeError if an option is missing or invalid
 */
export function createChangesClient<Site extends SiteShape = AnySite>(
  options: ChangesClientOptions<Site['languages'], false>,
): ChangesClient<Site>;
/** Creates a client that may read previews. `sync` and `subscribe` still read only published content. */
export function createChangesClient<Site extends SiteShape = AnySite>(
  options: ChangesClientOptions<Site['languages']>,
): Client<PreviewOf<Site>> & ChangeMethods<Plain<Site>>;
export function createChangesClient<Site extends SiteShape>(
  options: ChangesClientOptions<Site['languages']>,
): Client<PreviewOf<Site>> & ChangeMethods<Plain<Site>> {
  const client = parseOptions(options);
  const feed = locateFeed(client.root, options.changesURL);

  function buildRequest(
    { contentType, onRetry, signal, timeout, fetchOptions }: FollowChangesOptions,
    params: ChangesRequest['params'],
  ): Omit<ChangesRequest, 'since' | 'isLive'> {
    for (const type of [contentType ?? []].flat()) checkText('contentType', type);
    const settings = mergeOptions(client, { signal, timeout, fetchOptions });
    return { settings, feed, params: { ...params, content_type: contentType }, onRetry };
  }

  return {
    ...createClient<Site>(options),

    async sync(store, { live = false, batchSize = 200, onUpToDate, ...others } = {}) {
      const isStore = isRecord(store) && isFunction(store.save) && isFunction(store.readPosition);
      checkValue('store', isStore, 'a MirrorStore');
      checkValue('batchSize', batchSize >= 1 && batchSize <= 1000 && batchSize % 1 === 0, 'from 1 to 1000');
      const request = buildRequest(others, { include: 'content', limit: batchSize });
      return syncStore(store, { ...request, isLive: live }, onUpToDate);
    },

    async subscribe(listener, { since = NOW, withContent = false, ...others } = {}) {
      checkValue('listener', isFunction(listener), 'a function');
      checkText('since', since);
      const request = buildRequest(others, withContent ? { include: 'content' } : {});
      return notifyListener(listener, { ...request, since, isLive: true });
    },
  };
}

function locateFeed(root: string, given: string | undefined): string {
  const url = given ?? root.replace(/\/api\/v1$/, '/changes/v1');
  const isRight = /^https?:\/\/[^?#@\s]+$/i.test(url) && url !== root;
  checkValue('changesURL', isRight, 'the URL of the change feed, such as https://content.example/changes/v1');
  return url.replace(/\/+$/, '');
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
