// Partial files in a folder: `<id>` has the bytes, and `<id>.note` the note. The note is written last, so it exists only with the file.

import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { READ_BYTES } from './file-store.ts';
import { isPartialId, type PartialFiles, requirePartialId } from './partial-files.ts';

const MODE = 0o600;
const NOTE = '.note';

/** @param translate makes errors of the file system understandable */
export function createFolderPartials(
  folder: string,
  translate: <Value>(work: Promise<Value>) => Promise<Value>,
): PartialFiles {
  const pathOf = (id: string): string => join(folder, requirePartialId(id));

  async function remove(id: string): Promise<void> {
    for (const path of [`${pathOf(id)}${NOTE}`, pathOf(id)]) await translate(ignoreMissing(unlink(path)));
  }

  async function* list(): AsyncGenerator<{ id: string; lastChange: Date }> {
    for (const id of (await translate(ignoreMissing(readdir(folder)))) ?? []) {
      const found = isPartialId(id) ? await translate(ignoreMissing(stat(join(folder, id)))) : undefined;
      if (found !== undefined) yield { id, lastChange: found.mtime };
    }
  }

  return {
    async create(id, note) {
      const path = pathOf(id);
      await translate(mkdir(folder, { recursive: true }));
      await translate(writeFile(path, '', { flag: 'wx', mode: MODE }));
      await translate(writeFile(`${path}${NOTE}`, note, { flag: 'wx', mode: MODE, flush: true }));
    },

    async find(id) {
      const path = pathOf(id);
      const note = await translate(ignoreMissing(readFile(`${path}${NOTE}`, 'utf8')));
      const found = note === undefined ? undefined : await translate(ignoreMissing(stat(path)));
      return note === undefined || found === undefined
        ? undefined
        : { note, bytes: found.size, lastChange: found.mtime };
    },

    async append(id, offset, source) {
      const handle = await translate(open(pathOf(id), 'r+'));
      try {
        let position = offset;
        for await (const chunk of source) {
          for (let used = 0; used < chunk.length; ) {
            const { bytesWritten } = await translate(handle.write(chunk, used, chunk.length - used, position));
            used += bytesWritten;
            position += bytesWritten;
          }
        }
      } finally {
        await translate(handle.datasync());
        await handle.close();
      }
    },

    read: (id) => createReadStream(pathOf(id), { highWaterMark: READ_BYTES }),
    remove,

    list,

    async removeUnchanged(before) {
      let removed = 0;
      for await (const { id, lastChange } of list()) {
        if (lastChange >= before) continue;
        await remove(id);
        removed += 1;
      }
      return removed;
    },
  };
}

async function ignoreMissing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
