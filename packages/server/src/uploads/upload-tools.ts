// Everything that uploads need, kept open while the service is running.

import { tmpdir } from 'node:os';
import type { FileStore } from '../files/file-store.ts';
import type { ImagePool } from '../images/image-processes.ts';
import { FileThread } from './file-work.ts';
import { removeAbandoned, type TemporaryFileTools } from './temporary-file.ts';
import { openDigestThread } from './upload-digest.ts';

export interface UploadTools extends TemporaryFileTools {
  readonly images: ImagePool;
  readonly thread: FileThread;
  /** Closes the threads, but neither the store nor the image processes. */
  close(): Promise<void>;
}

export interface UploadToolsOptions {
  readonly store: FileStore;
  readonly images: ImagePool;
  readonly folder?: string;
  /** How long a job on the thread may take for a file of this size. */
  readonly longestMs?: (bytes: number) => number;
}

/** Removes files that earlier processes left behind. The threads start with the first upload that needs them. */
export async function openUploadTools(options: UploadToolsOptions): Promise<UploadTools> {
  const { store, images, folder = tmpdir(), longestMs } = options;
  await removeAbandoned(store, folder, new Date());
  const thread = new FileThread(longestMs);
  const digests = openDigestThread();
  return {
    ...{ store, images, thread, digests, folder },
    async close() {
      await Promise.all([thread.close(), digests.close()]);
    },
  };
}
