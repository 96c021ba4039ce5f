// What the service needs for files: the store, the image processes and the uploader. Each is opened on first use, because they take longer
// to load than the rest of the service, and many services never use them.

import { existsSync } from 'node:fs';
import type { FileStore } from './files/file-store.ts';
import type { ImageProcesses } from './images/image-processes.ts';
import type { Settings } from './settings.ts';
import type { UploadTools } from './uploads/upload-tools.ts';
import type { Uploader } from './uploads/uploader.ts';

export interface AssetTools {
  store(): Promise<FileStore>;
  /** Undefined if nothing has ever been stored. */
  existingStore(): Promise<FileStore | undefined>;
  images(): Promise<ImageProcesses>;
  uploader(): Promise<Uploader>;
  /** Closes what has been opened. */
  close(): Promise<void>;
}

export function createAssetTools({ assetsUrl }: Pick<Settings, 'assetsUrl'>): AssetTools {
  const store = openOnce(async (): Promise<FileStore> => {
    const { openFileStore } = await import('./files/open-file-store.ts');
    return openFileStore(assetsUrl);
  });
  const images = openOnce(async (): Promise<ImageProcesses> => {
    const { ImageProcesses } = await import('./images/image-processes.ts');
    return new ImageProcesses();
  });
  const tools = openOnce(async (): Promise<UploadTools> => {
    const { openUploadTools } = await import('./uploads/upload-tools.ts');
    return openUploadTools({ store: await store.get(), images: await images.get() });
  });
  const uploader = openOnce(async (): Promise<Uploader> => {
    const { createUploader } = await import('./uploads/uploader.ts');
    return createUploader(await tools.get());
  });
  return {
    store: store.get,
    async existingStore() {
      return assetsUrl.kind === 'folder' && !existsSync(assetsUrl.path) ? undefined : store.get();
    },
    images: images.get,
    uploader: uploader.get,
    async close() {
      await tools.close();
      await images.close();
      await store.close();
    },
  };
}

interface Once<Value> {
  readonly get: () => Promise<Value>;
  readonly close: () => Promise<void>;
}

/** A failure is not remembered, because an operator may have removed its cause. */
function openOnce<Value extends object>(open: () => Promise<Value>): Once<Value> {
  let opening: Promise<Value> | undefined;
  return {
    get() {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      if (opened !== undefined && 'close' in opened && typeof opened.close === 'function') await opened.close();
    },
  };
}
