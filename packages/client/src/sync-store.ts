// Writes a site's changes to a store, batch by batch. The store saves the position together with the objects, so `sync` can be
// interrupted at any point.

import { type ChangesRequest, followChanges, isAborted } from './follow-changes.ts';
import type { SyncOptions, SyncResult } from './follow-options.ts';
import { isGalleyError } from './galley-error.ts';
import type { MirrorStore } from './mirror-store.ts';

/** How many times in a row a full sync can start over because its position expired before the store was up to date. */
const MOST_RESTARTS = 3;
const NOTHING: SyncResult = { put: 0, removed: 0, isFullSync: false };

export async function syncStore<Content>(
  store: MirrorStore<Content>,
  request: Omit<ChangesRequest, 'since'>,
  onUpToDate: SyncOptions['onUpToDate'],
): Promise<SyncResult> {
  const { settings, params, isLive } = request;
  // A sync cannot continue with a store that has content of other types or from another site. In that case, a full sync replaces the
  // store's content.
  const scope = ` ${settings.siteId} ${[params.content_type ?? []].flat().sort()}`;
  const saved = await store.readPosition();
  let since = saved?.endsWith(scope) ? saved.slice(0, -scope.length) : undefined;
  let total = NOTHING;
  let recent: SyncResult | undefined = NOTHING;
  for (let restarts = 0; ; restarts++) {
    let startsSync = since === undefined;
    let isSaving = false;
    let hasExpired = false;
    try {
      for await (const page of followChanges<Content>({ ...request, since })) {
        if (isGalleyError(page)) {
          if (since === undefined || restarts >= MOST_RESTARTS) throw page;
          hasExpired = true;
          continue;
        }
        const { changes, objects, next: position, drop_others: endsSync } = page;
        isSaving = true;
        const put = [...objects.values()];
        const remove = [...new Set(changes.map(({ id }) => id))].filter((id) => !objects.has(id));
        const hasNews = changes.length > 0 || startsSync || endsSync;
        if (hasNews || position !== since) {
          await store.save({ put, remove, position: position + scope, startsSync, endsSync });
        }
        since = position;
        startsSync = false;
        const counts = { put: put.length, removed: remove.length, isFullSync: endsSync };
        total = addCounts(total, counts);
        if (hasNews) recent = addCounts(recent ?? NOTHING, counts);
        if (!page.has_more) {
          restarts = 0;
          if (recent) await onUpToDate?.(recent);
          recent = undefined;
        }
        isSaving = false;
      }
    } catch (error) {
      // The store's own errors are reported even after an abort.
      if (isSaving || !isLive || !isAborted(settings)) throw error;
      return total;
    }
    if (!hasExpired) return total;
    since = undefined;
  }
}

function addCounts(one: SyncResult, other: SyncResult): SyncResult {
  return {
    put: one.put + other.put,
    removed: one.removed + other.removed,
    isFullSync: one.isFullSync || other.isFullSync,
  };
}
