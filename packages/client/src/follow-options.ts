// The client's methods that follow changes, and their options.

import type { ContentChangeBody } from '@galley/wire';
import type { CallOptions } from './client-options.ts';
import type { GalleyError } from './galley-error.ts';
import type { OneOrMore } from './list-params.ts';
import type { MirrorStore } from './mirror-store.ts';
import type { ContentHandle, ContentOf, SiteShape } from './site.ts';

/** The options that `sync` and `subscribe` share. */
export interface FollowChangesOptions<Handle extends string = string>
  extends Pick<CallOptions, 'signal' | 'timeout' | 'fetchOptions'> {
  /** Limits the changes to content of these types, by handle. All types by default. */
  readonly contentType?: OneOrMore<Handle> | undefined;
  /** Called before a failed request is retried. Errors that retrying cannot fix, such as a revoked key, reject the call instead. */
  readonly onRetry?: ((error: GalleyError) => void) | undefined;
}

/** The options for `sync`. */
export interface SyncOptions<Handle extends string = string> extends FollowChangesOptions<Handle> {
  /**
   * Whether to keep the store up to date afterwards: `sync` will then save every change as it happens, until `signal` is aborted. False
   * by default.
   */
  readonly live?: boolean | undefined;
  /** The maximum number of objects in a batch, from 1 to 1000. 200 by default. */
  readonly batchSize?: number | undefined;
  /**
   * Called each time the store is up to date, with a summary of what was saved since the previous call. `sync` waits
   * for the callback to finish.
   */
  readonly onUpToDate?: ((result: SyncResult) => void | Promise<void>) | undefined;
}

/** A summary of what `sync` has saved. */
export interface SyncResult {
  /** How many objects were put into the store. An object that changed several times may be counted several times. */
  readonly put: number;
  /** How many times an object was removed because it was no longer published, not counting removals at the end of a full sync. */
  readonly removed: number;
  /** Whether a full sync has ended. */
  readonly isFullSync: boolean;
}

/** The options for `subscribe`. */
export interface SubscribeOptions<Handle extends string = string> extends FollowChangesOptions<Handle> {
  /** The `position` of the last change that the listener has seen. By default, the listener gets only changes from now on. */
  readonly since?: string | undefined;
  /** Whether every change includes the changed object as `content`. False by default. */
  readonly withContent?: boolean | undefined;
}

/** A change to one object. Its `kind` is `published`, `updated`, `moved`, `unpublished` or `deleted`. */
export interface ContentChange<Content> extends ContentChangeBody {
  /** Only with `withContent`: the object in its current state, or null if it is no longer published. */
  readonly content?: Content | null;
}

/** Changes were lost, because the position has expired or a backup was restored: anything may have changed. Later changes follow. */
export interface ResetEvent {
  readonly kind: 'reset';
}

/** An event that a listener receives. */
export type ChangeEvent<Content> = ContentChange<Content> | ResetEvent;

/** The methods that follow the changes to a site. They always read published content, in all languages. */
export interface ChangeMethods<Site extends SiteShape> {
  /**
   * Brings a store up to date: with a full sync the first time, and with only the changes after that. It continues from where an earlier
   * call was interrupted, even if the process was killed. If the position in the store has expired, a full sync starts automatically.
   * @example
   * const { put, removed } = await client.sync(store);
   */
  sync<Handle extends ContentHandle<Site> = ContentHandle<Site>>(
    store: MirrorStore<ContentOf<Site, Handle>>,
    options?: SyncOptions<Handle>,
  ): Promise<SyncResult>;

  /**
   * Calls the listener with each change, in order, shortly after it happens. Reconnects until `signal` is aborted, and then resolves.
   * Rejects if the listener throws, or if an error occurs that retrying cannot fix.
   * @example
   * await client.subscribe((event) => console.log(event.kind), { signal: AbortSignal.timeout(60_000) });
   */
  subscribe<Handle extends ContentHandle<Site> = ContentHandle<Site>>(
    listener: (event: ChangeEvent<ContentOf<Site, Handle>>) => void | Promise<void>,
    options?: SubscribeOptions<Handle>,
  ): Promise<void>;
}
