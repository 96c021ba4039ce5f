// Files that arrive in pieces, possibly over several hours and at several nodes. Each has an id, and a note for the caller. The bytes
// that have arrived are kept when a connection is lost or a process ends.

export interface PartialFile {
  readonly note: string;
  /** How many bytes have arrived without a gap. */
  readonly bytes: number;
  readonly lastChange: Date;
}

export interface PartialFiles {
  create(id: string, note: string): Promise<void>;
  find(id: string): Promise<PartialFile | undefined>;
  /**
   * Adds the source's bytes at an offset that `find` returned. If the source throws, the bytes that have arrived are kept, and the error is
   * rethrown. Two processes may append the same bytes at the same time.
   */
  append(id: string, offset: number, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** The first `bytes` bytes. */
  read(id: string): AsyncIterable<Uint8Array>;
  remove(id: string): Promise<void>;
  /** All files whose ids start with the prefix, including those whose creation was interrupted. */
  list(prefix?: string): AsyncIterable<{ readonly id: string; readonly lastChange: Date }>;
}

const ID = /^[0-9a-f]{32}$/;

export function isPartialId(text: string): boolean {
  return ID.test(text);
}

/** An id becomes part of a path, so an invalid id is a bug in the caller. */
export function requirePartialId(text: string): string {
  if (!isPartialId(text)) throw new TypeError('The id of a partial file must be 32 lowercase hexadecimal digits.');
  return text;
}
