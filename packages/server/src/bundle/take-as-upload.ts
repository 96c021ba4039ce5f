// Handles a file from a bundle as if somebody had uploaded it: pictures are decoded, SVG is sanitised, and the location where a photo
// was taken is removed from the file. A site's limits are meant for its editors, so they do not apply here.

import { fail, type Result } from '../content/result.ts';
import { type FileStore, MOST_FILE_BYTES } from '../files/file-store.ts';
import { ImageProcesses } from '../images/image-processes.ts';
import { takeFile } from '../uploads/take-file.ts';
import { openUploadTools } from '../uploads/upload-tools.ts';
import type { BundleFile, TakenBundleFile } from './bundle-files.ts';

/** The image API does not render larger pictures either. */
const MOST_PIXELS = 100_000_000;

export interface UploadTaking extends AsyncDisposable {
  take(file: BundleFile): Promise<Result<TakenBundleFile, string>>;
}

export async function openUploadTaking(store: FileStore): Promise<UploadTaking> {
  const images = new ImageProcesses();
  const tools = await openUploadTools({ store, images });
  return {
    async take({ name, sha256, read }) {
      // An exported file is imported byte for byte.
      const keepsLocation = sha256 !== null;
      const rules = { mostBytes: MOST_FILE_BYTES, types: null, mostPixels: MOST_PIXELS, keepsLocation };
      const taken = await takeFile(tools, read(), name, rules);
      if (!taken.ok) return fail(`cannot be imported: ${taken.problem.message}`);
      return taken;
    },
    async [Symbol.asyncDispose]() {
      await tools.close();
      await images.close();
    },
  };
}
