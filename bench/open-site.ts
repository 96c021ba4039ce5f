// A site to measure: its own database, filled through the real importer, and a service that reads it.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SITE_ID, writeBundle } from './content.ts';
import { type CommandOutcome, type RunningGalley, runGalley, startGalley } from './galley-process.ts';
import { readToken } from './read-token.ts';
import type { Reader } from './recorded-answer.ts';
import type { Scratch } from './scratch.ts';

export interface Site {
  readonly size: number;
  readonly database: string;
  readonly galley: RunningGalley;
  readonly reader: Reader;
  /** Undefined where the database was there already. */
  readonly imported: CommandOutcome | undefined;
}

/** @param keptIn a folder that outlives the run, for the database; undefined for one that does not */
export async function openSite(
  scratch: Scratch,
  size: number,
  keptIn: string | undefined,
  tell: (text: string) => void,
): Promise<Site> {
  const folder = keptIn ?? scratch.folder;
  mkdirSync(folder, { recursive: true });
  const database = join(folder, `site-${size}.db`);
  const isThere = existsSync(database);
  tell(isThere ? `using ${database}` : `importing ${size.toLocaleString('en')} objects`);
  const imported = isThere ? undefined : await importArticles(scratch, database, size);
  const key = await runGalley(scratch, database, ['key', 'create', '--site', SITE_ID, '--json']);
  const galley = await startGalley(scratch, database);
  const headers = { authorization: `Bearer ${readToken(key.output)}`, 'x-service-site': SITE_ID };
  return { size, database, galley, imported, reader: { origin: galley.origin, headers } };
}

async function importArticles(scratch: Scratch, database: string, size: number): Promise<CommandOutcome> {
  const bundle = join(scratch.folder, 'bundle.ndjson');
  writeBundle(bundle, size);
  // Under another name until it is whole, so that a run that was stopped leaves nothing to be taken for a site.
  const growing = `${database}.part`;
  for (const end of ['', '-wal', '-shm']) rmSync(`${growing}${end}`, { force: true });
  const outcome = await runGalley(scratch, growing, ['import', bundle]);
  rmSync(bundle);
  renameSync(growing, database);
  return outcome;
}
