// Everything that taking uploads needs, held open while the service runs.

import { tmpdir } from 'node:os';
import type { FileStore } from '../files/file-store.ts';
import type { ImageProcesses } from '../images/image-processes.ts';
import { FileThread } from './file-work.ts';
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
  /** How long a job of the thread may take for a file of so many bytes. */
  readonly longestMs?: (bytes: number) => number;
}

/** Removes what earlier processes have left behind. The thread starts with the first upload. */
export async function openUploadTools(options: UploadToolsOptions): Promise<UploadTools> {
  const { store, images, folder = tmpdir(), longestMs } = options;
  await removeAbandoned(store, folder, new Date());
  const thread = new FileThread(longestMs);
  return { store, images, thread, folder, close: () => thread.close() };
}
