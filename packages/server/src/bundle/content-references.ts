// What the content of a bundle refers to. Authors and assets must be there; content may stand later in the file, so links
// are settled at the end.

import { findMissingAssets, findMissingContents, type Procedure, selectAuthorNo } from '../storage/port.ts';
import { BundleFault } from './read-bundle-lines.ts';

const LEAST_LINKS_TO_CHECK = 5000;

export class ContentReferences {
  readonly #authors = new Map<string, number | undefined>();
  readonly #assets = new Set<string>();
  /** Ids that content links to and that were not there yet, with the line that named them first. */
  #links = new Map<string, number>();
  #mostLinksUnchecked = LEAST_LINKS_TO_CHECK;

  *findAuthor(siteNo: number, id: string): Procedure<number | undefined> {
    const place = `${siteNo}/${id}`;
    if (!this.#authors.has(place)) this.#authors.set(place, yield* selectAuthorNo(siteNo, id));
    return this.#authors.get(place);
  }

  *findMissingAsset(siteNo: number, ids: readonly string[]): Procedure<string | undefined> {
    const unknown = ids.filter((id) => !this.#assets.has(`${siteNo}/${id}`));
    const [missing] = unknown.length === 0 ? [] : yield* findMissingAssets(siteNo, unknown);
    if (missing === undefined) for (const id of unknown) this.#assets.add(`${siteNo}/${id}`);
    return missing;
  }

  *expectLinks(line: number, ids: readonly string[]): Procedure<void> {
    for (const id of ids) if (!this.#links.has(id)) this.#links.set(id, line);
    if (this.#links.size > this.#mostLinksUnchecked) yield* this.#forgetFoundLinks();
  }

  /** To be called when all content is written. */
  *refuseDeadLinks(): Procedure<void> {
    yield* this.#forgetFoundLinks();
    const [dead] = this.#links;
    if (dead !== undefined) throw new BundleFault(dead[1], `content_links: content ${dead[0]} does not exist`);
  }

  *#forgetFoundLinks(): Procedure<void> {
    const missing = new Set(yield* findMissingContents([...this.#links.keys()]));
    this.#links = new Map([...this.#links].filter(([id]) => missing.has(id)));
    // Links that lead ahead in the file stay: looked up again with each record, they would cost more than all else.
    this.#mostLinksUnchecked = Math.max(LEAST_LINKS_TO_CHECK, 2 * missing.size);
  }
}
