// Which texts came by before, in a few bytes each. It forgets those that share a place with a later one, and mistakes one
// text for another about once in four billion: good for a guess, not for an answer.

const PLACES = 1 << 16;

export class SeenTexts {
  readonly #marks = new Uint32Array(PLACES);

  /**
   * Whether it was there before.
   * @param from where in the text begins what counts
   */
  add(text: string, from: number): boolean {
    const mark = digest(text, from);
    const place = mark & (PLACES - 1);
    if (this.#marks[place] === mark) return true;
    this.#marks[place] = mark;
    return false;
  }
}

/** FNV-1a. Never 0, which stands for an empty place. */
function digest(text: string, from: number): number {
  let hash = 0x811c9dc5;
  for (let index = from; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0 || 1;
}
