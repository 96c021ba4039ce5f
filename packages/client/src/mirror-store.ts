// The interface between `sync` and the place where a mirror is kept, and an in-memory mirror.

import type { ContentBody } from '@galley/wire';

/** The data that `sync` writes to a store in one step. */
export interface MirrorBatch<Content> {
  /** Objects to add or replace, identified by their `id`. */
  readonly put: readonly Content[];
  /** The ids of objects to remove. The store might not have them. */
  readonly remove: readonly string[];
  /** Opaque text to store with the objects, and to return from `readPosition`. */
  readonly position: string;
  /** Whether a full sync starts with this batch. From then on, the store must remember which objects it has saved. */
  readonly startsSync: boolean;
  /** Whether a full sync ends with this batch. The store then removes all objects that it has not saved during the sync. */
  readonly endsSync: boolean;
}

/**
 * A place where `sync` keeps a copy of a site's published content, such as a database or a search index.
 *
 * A full sync can take many batches, and a later process may continue it. A counter is enough to find the objects to remove at the end:
 * increase the counter at `startsSync`, store it with every object that you save, and at `endsSync` remove the objects that have a lower
 * value.
 */
export interface MirrorStore<Content = ContentBody> {
  /** The position of the last saved batch; undefined if there is none. */
  readPosition(): string | undefined | Promise<string | undefined>;
  /**
   * Saves the whole batch, or nothing. If the store cannot do that, it must store the position last, so that `sync` repeats an incomplete
   * batch. Repeating a batch must be harmless.
   */
  save(batch: MirrorBatch<Content>): void | Promise<void>;
}

/** An in-memory mirror. */
export interface MemoryMirror<Content = ContentBody> extends MirrorStore<Content> {
  /** The objects by id. */
  readonly objects: ReadonlyMap<string, Content>;
}

/**
 * Creates an in-memory mirror. It starts with a full sync each time the program starts.
 *
 * @example
 * const mirror = createMemoryMirror();
 * await createClient({ apiURL, apiKey, siteId }).sync(mirror);
 * console.log(mirror.objects.size);
 */
export function createMemoryMirror<Content extends { readonly id: string } = ContentBody>(): MemoryMirror<Content> {
  const objects = new Map<string, Content>();
  /** The ids of the objects that the current full sync has saved. */
  let named: Set<string> | undefined;
  let last: string | undefined;
  return {
    objects,
    readPosition: () => last,
    save({ put, remove, position, startsSync, endsSync }) {
      if (startsSync) named = new Set();
      for (const object of put) {
        objects.set(object.id, object);
        named?.add(object.id);
      }
      for (const id of remove) objects.delete(id);
      if (endsSync) {
        for (const id of objects.keys()) if (!named?.has(id)) objects.delete(id);
        named = undefined;
      }
      last = position;
    },
  };
}
