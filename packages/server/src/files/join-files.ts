// Compares the files that records refer to with those in a store. Both lists are sorted by digest, so memory use does not grow with the
// number of files.

import type { FileEntry, StoredFile } from './file-store.ts';

/** At least one of them is present. */
export interface FilePair<Recorded> {
  readonly recorded: Recorded | undefined;
  readonly stored: FileEntry | undefined;
}

export async function* joinFiles<Recorded extends StoredFile>(
  recorded: AsyncIterable<Recorded>,
  stored: AsyncIterable<FileEntry>,
): AsyncGenerator<FilePair<Recorded>> {
  const left = recorded[Symbol.asyncIterator]();
  const right = stored[Symbol.asyncIterator]();
  try {
    let one = await takeNext(left);
    let other = await takeNext(right);
    while (one !== undefined || other !== undefined) {
      const isLeft = one !== undefined && (other === undefined || one.sha256 <= other.sha256);
      const isRight = other !== undefined && (one === undefined || other.sha256 <= one.sha256);
      yield { recorded: isLeft ? one : undefined, stored: isRight ? other : undefined };
      if (isLeft) one = await takeNext(left);
      if (isRight) other = await takeNext(right);
    }
  } finally {
    await left.return?.();
    await right.return?.();
  }
}

async function takeNext<Item>(items: AsyncIterator<Item>): Promise<Item | undefined> {
  const { done, value } = await items.next();
  return done === true ? undefined : value;
}
