// A copy of a site's published content that is updated only from the change feed. It can be interrupted at any point.

import type { ChangeListBody } from '@galley/wire';
import type { ChangeReader } from './change-reader.ts';

export class Mirror {
  /** The objects as text, by id. */
  readonly objects = new Map<string, string>();
  readonly #reader: ChangeReader;
  #position: string | undefined;
  /** The ids that the current full sync has listed. */
  #named = new Set<string>();

  constructor(reader: ChangeReader) {
    this.#reader = reader;
  }

  get position(): string | undefined {
    return this.#position;
  }

  /**
   * Reads one page. Returns false if there is nothing more to read.
   * @param stopAfter the number of changes after which the mirror is interrupted; it continues from there
   */
  async pull(limit: number, stopAfter = Number.POSITIVE_INFINITY): Promise<boolean> {
    const since = this.#position === undefined ? {} : { since: this.#position };
    const page = await this.#reader.page({ ...since, limit, include: 'content' });
    const isCut = stopAfter < page.changes.length;
    const changes = isCut ? page.changes.slice(0, stopAfter) : page.changes;
    for (const { id } of changes) await this.#put(id, page);
    if (isCut) {
      this.#position = changes.at(-1)?.position ?? this.#position;
      return true;
    }
    if (page.drop_others) {
      for (const id of this.objects.keys()) if (!this.#named.has(id)) this.objects.delete(id);
      this.#named = new Set();
    }
    this.#position = page.next;
    return page.has_more;
  }

  async #put(id: string, { content, too_large: tooLarge }: ChangeListBody): Promise<void> {
    this.#named.add(id);
    const found = content?.find((object) => object.id === id);
    const text = found === undefined ? undefined : JSON.stringify(found);
    const current = tooLarge.includes(id) ? await this.#reader.object(id) : text;
    if (current === undefined) this.objects.delete(id);
    else this.objects.set(id, current);
  }

  /** Starts over with a full sync, but keeps the objects until the sync ends. */
  startOver(): void {
    this.#position = undefined;
    this.#named = new Set();
  }
}
