// The methods that follow changes. A client loads this file on the first call, so that pages that only read content stay small.

import { checkText, checkValue, isRecord } from './check-value.ts';
import type { ChangesRequest } from './follow-changes.ts';
import type { ChangeEvent, FollowChangesOptions, SubscribeOptions, SyncOptions, SyncResult } from './follow-options.ts';
import type { MirrorStore } from './mirror-store.ts';
import { NOW, notifyListener } from './notify-listener.ts';
import { type ClientSettings, mergeOptions } from './parse-options.ts';
import { syncStore } from './sync-store.ts';

export async function sync<Content>(
  client: ClientSettings,
  store: MirrorStore<Content>,
  { live = false, batchSize = 200, onUpToDate, ...others }: SyncOptions = {},
): Promise<SyncResult> {
  const isStore = isRecord(store) && isFunction(store.save) && isFunction(store.readPosition);
  checkValue('store', isStore, 'a MirrorStore');
  checkValue('batchSize', batchSize >= 1 && batchSize <= 1000 && batchSize % 1 === 0, 'from 1 to 1000');
  const request = buildRequest(client, others, { include: 'content', limit: batchSize });
  return syncStore(store, { ...request, isLive: live }, onUpToDate);
}

export async function subscribe<Content>(
  client: ClientSettings,
  listener: (event: ChangeEvent<Content>) => void | Promise<void>,
  { since = NOW, withContent = false, ...others }: SubscribeOptions = {},
): Promise<void> {
  checkValue('listener', isFunction(listener), 'a function');
  checkText('since', since);
  const request = buildRequest(client, others, withContent ? { include: 'content' } : {});
  return notifyListener(listener, { ...request, since, isLive: true });
}

function buildRequest(
  client: ClientSettings,
  { contentType, onRetry, signal, timeout, fetchOptions }: FollowChangesOptions,
  params: ChangesRequest['params'],
): Omit<ChangesRequest, 'since' | 'isLive'> {
  for (const type of [contentType ?? []].flat()) checkText('contentType', type);
  const settings = mergeOptions(client, { signal, timeout, fetchOptions });
  return { settings, feed: locateFeed(client), params: { ...params, content_type: contentType }, onRetry };
}

function locateFeed({ root, changesURL }: ClientSettings): string {
  const url = changesURL ?? root.replace(/\/api\/v1$/, '/changes/v1');
  const isRight = /^https?:\/\/[^?#@\s]+$/i.test(url) && url !== root;
  checkValue('changesURL', isRight, 'the URL of the change feed, such as https://content.example/changes/v1');
  return url.replace(/\/+$/, '');
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
