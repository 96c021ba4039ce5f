// Unpacks the Chromium from npm for Linux x64. The package's own code writes it directly under its final name, so another process could
// start an incomplete file. Here the file is renamed only once it is complete.

import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
const COMPRESSED_BROWSER = join(packageFolder, 'bin', 'chromium.br');

/** @param folder defaults to the temporary folder of the test run, which is new and contains no browser from another release */
export async function unpackBrowser(folder: string = tmpdir()): Promise<string> {
  const path = join(folder, 'packaged-chromium');
  if (existsSync(path)) return path;
  const partial = `${path}.${randomUUID()}`;
  const output = createWriteStream(partial, { mode: 0o755 });
  await pipeline(createReadStream(COMPRESSED_BROWSER), createBrotliDecompress({ chunkSize: 2 ** 21 }), output);
  await rename(partial, path);
  return path;
}
