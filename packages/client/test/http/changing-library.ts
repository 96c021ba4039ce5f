// A library that changes: its books are published, changed and withdrawn while clients follow the changes.

import { sweepChanges } from '../../../server/src/authoring/change-sweep.ts';
import { type ClientOptions, createClient, type MirrorBatch, type MirrorStore } from '../../src/index.ts';
import { LIBRARY, type Library, openLibrary } from './library.ts';

export interface ChangingLibrary extends Library {
  /** Changes a book and publishes it. */
  rename(id: string, name: string, members?: object): Promise<void>;
  withdraw(id: string): Promise<void>;
  /** Removes all changes from the log, so that only the newest position is still valid. */
  forgetChanges(): Promise<void>;
  /** The API's response for every book that is published, by id. */
  readAll(): Promise<ReadonlyMap<string, string>>;
}

const HEAD = { kind: 'content', site: LIBRARY, content_type: 'book', language: 'en', status: 'published' };
/** All objects in the library, including those that tests add. */
const IDS = ['seven', 'six', 'five', 'four', 'three', 'two', 'one', 'note_one', 'un', 'secret', 'new', 'huge'];

export async function openChangingLibrary(
  environment: Readonly<Record<string, string>> = {},
): Promise<ChangingLibrary> {
  const library = await openLibrary(environment);
  const { service, access } = library;
  return {
    ...library,
    async rename(id, name, members = {}) {
      const slug = id.replace('c_', '').replaceAll('_', '-');
      const record = { ...HEAD, id, slug, name, published_at: '2026-01-01T00:00:00+00:00', ...members };
      await service.importRecords([record]);
    },
    withdraw: (id) => service.unpublish(LIBRARY, id),
    async forgetChanges() {
      await sweepChanges({ storage: service.storage, before: Date.now() + 60_000 });
    },
    async readAll() {
      const found = new Map<string, string>();
      for (const id of IDS.map((name) => `c_${name}`)) {
        const headers = { authorization: `Bearer ${access.apiKey}`, 'x-service-site': LIBRARY };
        const response = await fetch(`${access.apiURL}/content/${id}`, { headers });
        const text = await response.text();
        if (response.status === 200) found.set(id, text);
      }
      return found;
    },
  };
}

export function openChangesClient(library: Pick<Library, 'access'>, options: Partial<ClientOptions> = {}) {
  return createClient({ ...library.access, ...options });
}

/** A store that outlives its client, as a database does, and that records every batch. */
export class NotingStore implements MirrorStore {
  readonly objects = new Map<string, { readonly text: string; readonly round: number }>();
  readonly batches: MirrorBatch<unknown>[] = [];
  /** Fails instead of saving any more batches. */
  failsAfter = Number.POSITIVE_INFINITY;
  #position: string | undefined;
  #round = 0;

  readPosition(): string | undefined {
    return this.#position;
  }

  save(batch: Parameters<MirrorStore['save']>[0]): void {
    if (this.batches.length >= this.failsAfter) throw new Error('The disk is full');
    this.batches.push(batch);
    if (batch.startsSync) this.#round += 1;
    for (const object of batch.put) this.objects.set(object.id, { text: JSON.stringify(object), round: this.#round });
    for (const id of batch.remove) this.objects.delete(id);
    for (const [id, { round }] of this.objects) if (batch.endsSync && round < this.#round) this.objects.delete(id);
    this.#position = batch.position;
  }

  get texts(): ReadonlyMap<string, string> {
    return new Map([...this.objects].map(([id, { text }]) => [id, text]));
  }
}
