// Which digests came by before. It forgets those that share a place with a later one, and two texts have the same digest about
// once in four billion times: good for a guess, not for an answer.

const PLACES = 1 << 16;

export class SeenDigests {
  readonly #marks = new Uint32Array(PLACES);

  /** Whether it was there before. */
  add(digest: number): boolean {
    // 0 stands for an empty place.
    const mark = digest === 0 ? 1 : digest;
    const place = mark & (PLACES - 1);
    if (this.#marks[place] === mark) return true;
    this.#marks[place] = mark;
    return false;
  }
}
