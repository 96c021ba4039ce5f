// Everything that taking uploads needs, held open while the service runs.

import { tmpdir } from 'node:os';
import type { FileStore } from '../files/file-store.ts';
import type { ImageProcesses } from '../images/image-processes.ts';
import { type FileThread, openFileThread } from './file-work.ts';
import { removeAbandoned } from './temporary-file.ts';

export interface UploadTools {
  readonly store: FileStore;
  readonly images: Pick<ImageProcesses, 'do'>;
  readonly thread: FileThread;
  /** For uploads, if the store is not on this machine. */
  readonly folder: string;
  /** Closes the thread, but neither the store nor the image processes. */
  close(): Promise<void>;
}

export interface UploadToolsOptions {
  readonly store: FileStore;
  readonly images: Pick<ImageProcesses, 'do'>;
  readonly folder?: string;
}

/** Removes files that earlier processes left behind. The thread starts with the first upload. */
export async function openUploadTools({ store, images, folder = tmpdir() }: UploadToolsOptions): Promise<UploadTools> {
  await removeAbandoned(store, folder, new Date());
  const thread = openFileThread();
  return { store, images, thread, folder, close: () => thread.close() };
}
