// A site to measure: a separate database, filled through the real importer, and a service that reads it.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../scripts/testing/postgres-server.ts';
import { SITE_ID, writeBundle } from './content.ts';
import { writeFilteredBundle } from './filtered-content.ts';
import { type CommandOutcome, type RunningGalley, runGalley, startGalley } from './galley-process.ts';
import type { Reader } from './recorded-answer.ts';
import type { Scratch } from './scratch.ts';

export interface Site {
  readonly size: number;
  /** The database URL, in the format of the GALLEY_DATABASE_URL setting. */
  readonly databaseUrl: string;
  readonly galley: RunningGalley;
  readonly reader: Reader;
  /** Undefined if the database already existed. */
  readonly imported: CommandOutcome | undefined;
}

/** The kinds of content a site can have: articles, or objects with a value for each kind of filter. */
const CONTENTS = { site: writeBundle, filtered: writeFilteredBundle } as const;

export interface SiteOrder {
  readonly content: keyof typeof CONTENTS;
  readonly size: number;
}

/** @param keptIn the folder in which the database is kept after the run; undefined to delete it */
export async function openSite(
  scratch: Scratch,
  order: SiteOrder,
  keptIn: string | undefined,
  tell: (text: string) => void,
): Promise<Site> {
  const folder = keptIn ?? scratch.folder;
  mkdirSync(folder, { recursive: true });
  const database = join(folder, `${order.content}-${order.size}.db`);
  const isThere = existsSync(database);
  if (isThere) tell(`using ${database}`);
  const imported = isThere ? undefined : await importIntoFile(scratch, database, order, tell);
  return serveSite(scratch, order.size, `sqlite:${database}`, imported);
}

/** A separate PostgreSQL server, which stops when the run ends. */
export async function openPostgresSite(
  scratch: Scratch,
  order: SiteOrder,
  tell: (text: string) => void,
): Promise<Site> {
  const server = await startPostgres();
  scratch.whenClosed(() => server.kill());
  const imported = await importBundle(scratch, server.url, order, tell);
  return serveSite(scratch, order.size, server.url, imported);
}

async function serveSite(
  scratch: Scratch,
  size: number,
  databaseUrl: string,
  imported: CommandOutcome | undefined,
): Promise<Site> {
  const key = await runGalley(scratch, databaseUrl, ['key', 'create', '--site', SITE_ID, '--preview', '--json']);
  const galley = await startGalley(scratch, databaseUrl);
  const headers = { authorization: `Bearer ${readToken(key.output)}`, 'x-service-site': SITE_ID };
  return { size, databaseUrl, galley, imported, reader: { origin: galley.origin, headers } };
}

async function importIntoFile(
  scratch: Scratch,
  database: string,
  order: SiteOrder,
  tell: (text: string) => void,
): Promise<CommandOutcome> {
  // Written under a different name until it is complete, so that an interrupted run leaves nothing that looks like a site.
  const growing = `${database}.part`;
  for (const end of ['', '-wal', '-shm']) rmSync(`${growing}${end}`, { force: true });
  const outcome = await importBundle(scratch, `sqlite:${growing}`, order, tell);
  renameSync(growing, database);
  return outcome;
}

async function importBundle(
  scratch: Scratch,
  databaseUrl: string,
  { content, size }: SiteOrder,
  tell: (text: string) => void,
): Promise<CommandOutcome> {
  tell(`importing ${size.toLocaleString('en')} objects`);
  const bundle = join(scratch.folder, 'bundle.ndjson');
  CONTENTS[content](bundle, size);
  const outcome = await runGalley(scratch, databaseUrl, ['import', bundle]);
  rmSync(bundle);
  return outcome;
}

/** @param output the JSON that a Galley command printed about a key or token it created */
export function readToken(output: string): string {
  const created: unknown = JSON.parse(output);
  if (typeof created === 'object' && created !== null && 'token' in created && typeof created.token === 'string') {
    return created.token;
  }
  throw new Error('The command printed no token');
}
