// Exports a site as text and imports it.

import { randomUUIDv7 } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundleFiles } from '../../src/bundle/bundle-files.ts';
import { exportBundle } from '../../src/bundle/export-bundle.ts';
import { type ImportSummary, importBundle } from '../../src/bundle/import-bundle.ts';
import type { Storage } from '../../src/storage/storage.ts';

export async function exportText(storage: Storage, siteId: string): Promise<string> {
  return storage.snapshot(async (snapshot) => {
    const bundle = await exportBundle(snapshot, siteId);
    if (bundle === undefined) throw new Error(`There is no site ${siteId}`);
    const lines: string[] = [];
    for await (const line of bundle.lines) lines.push(line);
    return lines.join('');
  });
}

export async function importText(storage: Storage, folder: string, text: string): Promise<ImportSummary> {
  const path = join(folder, `${randomUUIDv7()}.ndjson`);
  await writeFile(path, text);
  return importFile(storage, path);
}

/** @param files stores the bundle's files, if it has any */
export function importFile(storage: Storage, path: string, files?: BundleFiles): Promise<ImportSummary> {
  return importBundle(storage, path, { now: Date.now(), newUuid: randomUUIDv7, files, onProgress: () => {} });
}
