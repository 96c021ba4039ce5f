// Whether what is served is what was saved. Bodies carry their digest; it is checked when a body is read for the first time
// since the start, since checking each time would take a tenth of the time of an object and more of a list's.

import { type Body, isWhole } from '../../content/body.ts';

/** The bytes of a body are not those that were written. */
export class DamagedContent extends Error {
  override readonly name = 'DamagedContent';
  readonly contentId: string;

  constructor(contentId: string) {
    super(`The stored text of content ${contentId} is damaged: it does not match its digest.`);
    this.contentId = contentId;
  }
}

/** A megabyte. A body that was checked and shares its place with another is checked again. */
const PLACES = 1 << 18;
/** These alone tell more bodies apart than there are. */
const DIGEST_CHARACTERS = 8;

export class CheckedBodies {
  readonly #marks = new Uint32Array(PLACES);

  /** Throws where a body is damaged. */
  check(rows: readonly { readonly id: string; readonly body: Body }[]): void {
    for (const { id, body } of rows) {
      const mark = buildMark(body.digest);
      const place = mark & (PLACES - 1);
      if (this.#marks[place] === mark) continue;
      if (!isWhole(body, id)) throw new DamagedContent(id);
      this.#marks[place] = mark;
    }
  }
}

/** A number and no text: a piece of the body would keep all of it in memory. 0 stands for an empty place. */
function buildMark(digest: string): number {
  let mark = 0x811c9dc5;
  for (let index = 0; index < DIGEST_CHARACTERS; index += 1) {
    mark = Math.imul(mark ^ digest.charCodeAt(index), 0x01000193);
  }
  return mark >>> 0 || 1;
}
