// Opens the store at a location. The S3 client is large, so it is loaded only for a bucket.

import type { AssetsLocation } from './assets-url.ts';
import type { FileStore } from './file-store.ts';
import { type FolderOptions, openFolderStore } from './folder-store.ts';

export async function openFileStore(location: AssetsLocation, options: FolderOptions = {}): Promise<FileStore> {
  if (location.kind === 'folder') return openFolderStore(location, options);
  const { openBucketStore } = await import('./bucket-store.ts');
  return openBucketStore(location);
}
