// Partial files in a bucket. S3 cannot append, so each piece is an object, `<id>/<offset>`, and the note is `<id>/note`. Two nodes may
// receive the same bytes, so pieces may overlap: a piece that begins before the previous one ends is ignored.

import type { BucketObject, BucketObjects } from './bucket-objects.ts';
import { isPartialId, type PartialFiles, requirePartialId } from './partial-files.ts';

/** An upload in progress keeps one piece in memory. */
const PIECE_BYTES = 4 * 1024 ** 2;
/** S3 sorts names as text, so all offsets have the same number of digits. */
const OFFSET_DIGITS = 13;
const NOTE = 'note';

export function createBucketPartials(folder: string, objects: BucketObjects): PartialFiles {
  const prefixOf = (id: string): string => `${folder}${requirePartialId(id)}/`;

  async function listPieces(id: string) {
    const all: BucketObject[] = [];
    for await (const object of objects.list(prefixOf(id))) all.push(object);
    const pieces: BucketObject[] = [];
    let bytes = 0;
    for (const piece of all.filter(({ name }) => name !== NOTE)) {
      const offset = Number(piece.name);
      if (offset > bytes) break;
      if (offset < bytes) continue;
      pieces.push(piece);
      bytes += piece.bytes;
    }
    const lastChange = new Date(Math.max(0, ...all.map((each) => each.lastChange.getTime())));
    return { pieces, bytes, lastChange };
  }

  return {
    create: async (id, note) => objects.putText(`${prefixOf(id)}${NOTE}`, note),

    async find(id) {
      const found = await objects.readText(`${prefixOf(id)}${NOTE}`);
      if (found === undefined) return undefined;
      const { bytes, lastChange } = await listPieces(id);
      return { note: found.text, bytes, lastChange };
    },

    async append(id, offset, source) {
      const prefix = prefixOf(id);
      let position = offset;
      let piece: Uint8Array[] = [];
      let bytes = 0;
      async function flush(): Promise<void> {
        if (bytes === 0) return;
        const body = Buffer.concat(piece);
        piece = [];
        bytes = 0;
        await objects.put(`${prefix}${String(position).padStart(OFFSET_DIGITS, '0')}`, body);
        position += body.length;
      }
      try {
        for await (const chunk of source) {
          piece.push(chunk);
          bytes += chunk.length;
          if (bytes >= PIECE_BYTES) await flush();
        }
      } finally {
        await flush();
      }
    },

    async *read(id) {
      const { pieces } = await listPieces(id);
      for (const { name } of pieces) {
        const piece = await objects.read(`${prefixOf(id)}${name}`);
        if (piece === undefined) throw new Error('A piece of the upload is missing.');
        yield* piece.stream;
      }
    },

    async remove(id) {
      const prefix = prefixOf(id);
      // Once its note is gone, the file no longer exists, even if the rest of the removal is interrupted.
      await objects.remove(`${prefix}${NOTE}`);
      for await (const { name } of objects.list(prefix)) await objects.remove(`${prefix}${name}`);
    },

    async *list(prefix = '') {
      const changes = new Map<string, Date>();
      for await (const { name, lastChange } of objects.list(`${folder}${prefix}`)) {
        const id = `${prefix}${name.slice(0, name.indexOf('/'))}`;
        const known = changes.get(id);
        if (isPartialId(id) && (known === undefined || known < lastChange)) changes.set(id, lastChange);
      }
      for (const [id, lastChange] of changes) yield { id, lastChange };
    },
  };
}
