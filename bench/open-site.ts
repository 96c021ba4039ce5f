// A site to measure: its own database, filled through the real importer, and a service that reads it.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../scripts/testing/postgres-server.ts';
import { SITE_ID, writeBundle } from './content.ts';
import { type CommandOutcome, type RunningGalley, runGalley, startGalley } from './galley-process.ts';
import { readToken } from './read-token.ts';
import type { Reader } from './recorded-answer.ts';
import type { Scratch } from './scratch.ts';

export interface Site {
  readonly size: number;
  /** As the setting has it. */
  readonly databaseUrl: string;
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
  if (isThere) tell(`using ${database}`);
  const imported = isThere ? undefined : await importIntoFile(scratch, database, size, tell);
  return serveSite(scratch, size, `sqlite:${database}`, imported);
}

/** On a PostgreSQL server of its own, which ends with the run. */
export async function openPostgresSite(scratch: Scratch, size: number, tell: (text: string) => void): Promise<Site> {
  const server = await startPostgres();
  scratch.whenClosed(() => server.kill());
  const imported = await importArticles(scratch, server.url, size, tell);
  return serveSite(scratch, size, server.url, imported);
}

async function serveSite(
  scratch: Scratch,
  size: number,
  databaseUrl: string,
  imported: CommandOutcome | undefined,
): Promise<Site> {
  const key = await runGalley(scratch, databaseUrl, ['key', 'create', '--site', SITE_ID, '--json']);
  const galley = await startGalley(scratch, databaseUrl);
  const headers = { authorization: `Bearer ${readToken(key.output)}`, 'x-service-site': SITE_ID };
  return { size, databaseUrl, galley, imported, reader: { origin: galley.origin, headers } };
}

async function importIntoFile(
  scratch: Scratch,
  database: string,
  size: number,
  tell: (text: string) => void,
): Promise<CommandOutcome> {
  // Under another name until it is whole, so that a run that was stopped leaves nothing to be taken for a site.
  const growing = `${database}.part`;
  for (const end of ['', '-wal', '-shm']) rmSync(`${growing}${end}`, { force: true });
  const outcome = await importArticles(scratch, `sqlite:${growing}`, size, tell);
  renameSync(growing, database);
  return outcome;
}

async function importArticles(
  scratch: Scratch,
  databaseUrl: string,
  size: number,
  tell: (text: string) => void,
): Promise<CommandOutcome> {
  tell(`importing ${size.toLocaleString('en')} objects`);
  const bundle = join(scratch.folder, 'bundle.ndjson');
  writeBundle(bundle, size);
  const outcome = await runGalley(scratch, databaseUrl, ['import', bundle]);
  rmSync(bundle);
  return outcome;
}
