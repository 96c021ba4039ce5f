// In which line of the file each content object stands, by its number in the database: four bytes an object, since a
// file may bring millions.

const PAGE = 4096;

export class ContentLines {
  readonly #pages = new Map<number, Uint32Array>();

  /** Undefined for content that the file has not come to yet. */
  find(contentNo: number): number | undefined {
    return this.#pages.get(Math.floor(contentNo / PAGE))?.[contentNo % PAGE] || undefined;
  }

  has(contentNo: number): boolean {
    return this.find(contentNo) !== undefined;
  }

  note(contentNo: number, line: number): void {
    const pageNo = Math.floor(contentNo / PAGE);
    const page = this.#pages.get(pageNo) ?? new Uint32Array(PAGE);
    this.#pages.set(pageNo, page);
    page[contentNo % PAGE] = line;
  }
}
