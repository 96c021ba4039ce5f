// Partial files in a folder: `<id>` contains the bytes, and `<id>.note` contains the note. The note is written last, so there is no note
// without a file.

import { mkdir, open, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readLocalFile } from './file-store.ts';
import { ignoreMissing } from './folder-errors.ts';
import { isPartialId, type PartialFiles, requirePartialId } from './partial-files.ts';
import { writeChunks } from './write-chunks.ts';

const MODE = 0o600;
const NOTE = '.note';
/** Many small writes would take several times as long. */
const BATCH_BYTES = 1024 ** 2;

/** @param translate turns file system errors into readable ones */
export function createFolderPartials(
  folder: string,
  translate: <Value>(work: Promise<Value>) => Promise<Value>,
): PartialFiles {
  const pathOf = (id: string): string => join(folder, requirePartialId(id));

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
      let position = offset;
      let batch: Uint8Array[] = [];
      let bytes = 0;
      async function flush(): Promise<void> {
        const [chunks, start] = [batch, position];
        position += bytes;
        batch = [];
        bytes = 0;
        await translate(writeChunks(handle, chunks, start));
      }
      try {
        for await (const chunk of source) {
          batch.push(chunk);
          bytes += chunk.length;
          if (bytes >= BATCH_BYTES) await flush();
        }
      } finally {
        try {
          await flush();
          await translate(handle.datasync());
        } finally {
          await handle.close();
        }
      }
    },

    read: (id) => readLocalFile(pathOf(id)),

    async remove(id) {
      for (const path of [`${pathOf(id)}${NOTE}`, pathOf(id)]) await translate(ignoreMissing(unlink(path)));
    },

    async *list(prefix = '') {
      for (const id of (await translate(ignoreMissing(readdir(folder)))) ?? []) {
        const isListed = isPartialId(id) && id.startsWith(prefix);
        const found = isListed ? await translate(ignoreMissing(stat(join(folder, id)))) : undefined;
        if (found !== undefined) yield { id, lastChange: found.mtime };
      }
    },
  };
}
