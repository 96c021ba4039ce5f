// Derived files in a bucket, under `derived/<name>`. The bucket's lifecycle rules may delete them at any time.

import { open } from 'node:fs/promises';
import type { BucketObjects } from './bucket-objects.ts';
import type { DerivedFiles } from './file-store.ts';

export function createDerivedFiles(folder: string, objects: BucketObjects): DerivedFiles {
  return {
    read: async (name) => objects.read(`${folder}${requireName(name)}`),

    async put(name, path) {
      const key = `${folder}${requireName(name)}`;
      // Open the file first: if it is missing, this call rejects, instead of a stream failing before anything listens to it.
      const file = await open(path);
      const body = file.createReadStream();
      try {
        const { size } = await file.stat();
        await objects.put(key, body, size);
      } finally {
        body.destroy();
      }
    },

    async remove(prefix) {
      const start = `${folder}${requireName(prefix)}`;
      let removed = 0;
      for await (const { name } of objects.list(start)) {
        await objects.remove(`${start}${name}`);
        removed += 1;
      }
      return removed;
    },
  };
}

const NAME = /^[0-9A-Za-z]+(\.[0-9A-Za-z]+)*$/;

/** A name becomes part of a key, so an invalid name is a bug in the caller. */
function requireName(text: string): string {
  if (!NAME.test(text)) throw new TypeError('The name of a derived file must consist of letters, digits and dots.');
  return text;
}
