// Everything that the service needs for files: the store, the image processes, the uploader, and file and image delivery. All of these are
// opened on first use, because they take longer to load than the rest of the service, and many services never use them.

import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { ImageWorkshop } from './asset-delivery/image-workshop.ts';
import { createLazyDelivery, type LazyAssetDelivery } from './asset-delivery/lazy-asset-delivery.ts';
import type { FileStore } from './files/file-store.ts';
import type { UnreadAnswers } from './http/unread-answers.ts';
import type { ImagePool } from './images/image-processes.ts';
import type { Settings } from './settings.ts';
import type { AssetReads } from './storage/asset-reads.ts';
import type { UploadTools } from './uploads/upload-tools.ts';
import type { Uploader } from './uploads/uploader.ts';

export interface AssetTools {
  store(): Promise<FileStore>;
  /** Undefined if nothing has ever been stored. */
  existingStore(): Promise<FileStore | undefined>;
  uploader(): Promise<Uploader>;
  delivery(parts: AssetDeliveryParts): LazyAssetDelivery;
  /** Deletes the images that were generated from a file. */
  forgetImages(sha256: string): Promise<void>;
  /** Closes everything that has been opened. */
  close(): Promise<void>;
}

export interface AssetDeliveryParts {
  readonly directory: AssetReads;
  readonly unread: UnreadAnswers;
  readonly nameClient: (request: IncomingMessage) => string;
}

type AssetSettings = Pick<Settings, 'assetsUrl' | 'imageCache' | 'imageCacheDir' | 'imageCacheMb'>;

export type OpenImages = () => Promise<ImagePool>;

export function createAssetTools(
  settings: AssetSettings,
  log: Logger,
  openImages: OpenImages = openImageProcesses,
): AssetTools {
  const { assetsUrl, imageCache, imageCacheDir, imageCacheMb } = settings;
  const store = openOnce(async (): Promise<FileStore> => {
    const { openFileStore } = await import('./files/open-file-store.ts');
    return openFileStore(assetsUrl);
  });
  const images = openOnce(openImages);
  const workshop = openOnce(async (): Promise<ImageWorkshop> => {
    const { ImageWorkshop } = await import('./asset-delivery/image-workshop.ts');
    return new ImageWorkshop({
      store: await store.get(),
      processes: await images.get(),
      log,
      folder: imageCacheDir,
      limitBytes: imageCacheMb * 1024 * 1024,
      isShared: imageCache === 'bucket',
    });
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
    uploader: uploader.get,
    delivery: (parts) =>
      createLazyDelivery(log, async () => {
        const { createAssetDelivery } = await import('./asset-delivery/create-asset-delivery.ts');
        return createAssetDelivery({ ...parts, store: await store.get(), workshop: await workshop.get(), log });
      }),
    async forgetImages(sha256) {
      await (await workshop.get()).forget(sha256);
    },
    async close() {
      await tools.close();
      await images.close();
      await workshop.close();
      await store.close();
    },
  };
}

async function openImageProcesses(): Promise<ImagePool> {
  const { ImageProcesses } = await import('./images/image-processes.ts');
  return new ImageProcesses();
}

interface Once<Value> {
  readonly get: () => Promise<Value>;
  readonly close: () => Promise<void>;
}

/** A failure is not remembered, because an operator may have fixed the cause. */
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
