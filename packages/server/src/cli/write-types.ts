// Writes a site's types to a file. A file that an earlier run wrote is replaced; anything else is somebody's work.

import { readFile, writeFile } from 'node:fs/promises';
import { PROGRAM } from '../program-name.ts';
import { selectCatalog, selectSite } from '../storage/port.ts';
import { GENERATED_MARK, generateTypes } from '../type-generation/generate-types.ts';
import { CommandFailure } from './command-failure.ts';
import { withExistingStorage } from './with-storage.ts';
import { writeNewFile } from './write-new-file.ts';

export function generateSiteTypes(siteId: string): Promise<string> {
  return withExistingStorage(async (storage) => {
    const site = await storage.read(selectSite(siteId));
    const loaded = site && (await storage.read(selectCatalog(site.no)));
    if (loaded !== undefined) return generateTypes(loaded.catalog);
    throw new CommandFailure(`There is no site ${siteId}. To see which there are: ${PROGRAM} site list`);
  });
}

export async function writeTypes(path: string, text: string, isForced: boolean): Promise<void> {
  const options = { isForced: isForced || (await isGenerated(path)), mode: 0o666 };
  await writeNewFile(path, options, (temporaryPath) => writeFile(temporaryPath, text));
}

async function isGenerated(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return (text.split('\n', 1)[0] ?? '').includes(GENERATED_MARK);
}
