// Adds files from bundles to the store. If a record gives the SHA-256 of a file and describes the picture, the picture is not decoded.
// So the demo starts quickly, and importing an export takes no longer than copying its files.

import { extname } from 'node:path';
import { fail, ok } from '../content/result.ts';
import type { AssetsLocation } from '../files/assets-url.ts';
import { openDescriptorSource } from '../files/byte-source.ts';
import { buildFileName } from '../files/file-name.ts';
import { type FileStore, MOST_FILE_BYTES, openMeter, type StoredFile } from '../files/file-store.ts';
import { type InspectedFile, inspectFile } from '../files/inspect-file.ts';
import { openFileStore } from '../files/open-file-store.ts';
import type { BundleFile, BundleFiles, TakenBundleFile } from './bundle-files.ts';
import type { UploadTaking } from './take-as-upload.ts';

export interface OpenedBundleFiles extends BundleFiles, AsyncDisposable {}

/** The store is opened only for the first file, because most bundles have none. */
export function openBundleFiles(location: AssetsLocation): OpenedBundleFiles {
  const opened = new AsyncDisposableStack();
  let opening: Promise<FileStore> | undefined;
  let openingTaking: Promise<UploadTaking> | undefined;
  const openStore = (): Promise<FileStore> => {
    opening ??= openFileStore(location).then((store) => opened.adopt(store, (each) => each.close()));
    return opening;
  };
  const openTaking = (store: FileStore): Promise<UploadTaking> => {
    openingTaking ??= loadTaking(store).then((taking) => opened.use(taking));
    return openingTaking;
  };
  return {
    async take(file) {
      const store = await openStore();
      const found = await inspectFile(openDescriptorSource(file.descriptor), file.name);
      if (!isDescribed(file, found)) return (await openTaking(store)).take(file);
      const stored = await store.put(file.read(), MOST_FILE_BYTES);
      if (!stored.ok) return fail('is larger than 5 GB');
      return ok(buildTaken(file, found, stored.value, () => storeAgain(store, file, stored.value)));
    },
    has: async (sha256) => (await openStore()).has(sha256),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A new demo starts without loading this code. */
async function loadTaking(store: FileStore): Promise<UploadTaking> {
  const { openUploadTaking } = await import('./take-as-upload.ts');
  return openUploadTaking(store);
}

/** Checks the files without storing them, for a dry run. */
export function createDryBundleFiles(): BundleFiles {
  return {
    async take(file) {
      const found = await inspectFile(openDescriptorSource(file.descriptor), file.name);
      const meter = openMeter(MOST_FILE_BYTES);
      for await (const chunk of file.read()) {
        if (!meter.add(chunk)) return fail('is larger than 5 GB');
      }
      return ok(buildTaken(file, found, meter.finish(), async () => {}));
    },
    has: async () => true,
  };
}

/** A picture whose record lacks the size or placeholder must be decoded. SVG must be sanitised, whatever its record says. */
function isDescribed({ sha256, appearance }: BundleFile, { type }: InspectedFile): boolean {
  if (sha256 === null || type === 'image/svg+xml') return false;
  const { width, height, placeholder } = appearance;
  return !type.startsWith('image/') || (width !== null && height !== null && placeholder !== null);
}

function buildTaken(
  { name, appearance }: BundleFile,
  { type, extension: found }: InspectedFile,
  { sha256, bytes }: StoredFile,
  ensureStored: () => Promise<void>,
): TakenBundleFile {
  const fileName = buildFileName(name, found);
  const extension = extname(fileName).slice(1);
  return {
    ...appearance,
    sha256,
    bytes,
    type,
    extension,
    fileName,
    ensureStored,
    [Symbol.asyncDispose]: async () => {},
  };
}

async function storeAgain(store: FileStore, file: BundleFile, { sha256 }: StoredFile): Promise<void> {
  if (!(await store.has(sha256))) await store.put(file.read(), MOST_FILE_BYTES);
}
