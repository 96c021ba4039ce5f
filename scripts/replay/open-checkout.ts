// Uses one checkout of Galley to import a bundle into a separate database and to serve it. Every checkout gets the same public URL and the
// same secret for signing cursors, so that these cannot make the answers differ.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { readToken } from '../../bench/open-site.ts';
import type { Scratch } from '../../bench/scratch.ts';
import { runWithSuccess, startProgram } from '../testing/running-program.ts';

export const PUBLIC_URL = 'https://galley.example';
const SET_SECRET = `update installation_keys set secret = '${'17'.repeat(32)}'`;
const LISTENING = /"address":"(http[^"]+)","msg":"listening"/;

export interface OpenCheckout {
  /** `http://HOST:PORT` */
  readonly origin: string;
  /** An API key for all sites, with previews. */
  readonly token: string;
}

interface Subject {
  readonly checkout: string;
  /** Different for each checkout in a run. */
  readonly name: string;
  /** The URL of a PostgreSQL server, or undefined for a SQLite file. */
  readonly postgresUrl: string | undefined;
  readonly bundle: string;
}

export async function openCheckout(scratch: Scratch, subject: Subject): Promise<OpenCheckout> {
  const { checkout, name, postgresUrl, bundle } = subject;
  // A folder without a settings file.
  const cwd = join(scratch.folder, name);
  mkdirSync(cwd);
  const file = join(cwd, 'galley.db');
  const databaseUrl = postgresUrl === undefined ? `sqlite:${file}` : await createDatabase(postgresUrl, name);
  const galley = [join(checkout, 'node_modules/.bin/node'), join(checkout, 'packages/server/bin/galley.js')];
  const env = { GALLEY_DATABASE_URL: databaseUrl, GALLEY_PUBLIC_URL: PUBLIC_URL, GALLEY_DEMO: 'false' };

  await runWithSuccess([...galley, 'import', bundle], { cwd, env });
  if (postgresUrl === undefined) setSecretInFile(file);
  else await runOnPostgres(databaseUrl, SET_SECRET);
  const createKey = [...galley, 'key', 'create', '--all-sites', '--preview', '--json'];
  const token = readToken(await runWithSuccess(createKey, { cwd, env }));
  const service = startProgram([...galley, 'serve', '--port', '0'], { cwd, env });
  scratch.whenClosed(() => void service.stop('SIGKILL'));
  const [, origin = ''] = await service.waitFor(LISTENING);
  return { origin, token };
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await runOnPostgres(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function runOnPostgres(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function setSecretInFile(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec(SET_SECRET);
  } finally {
    database.close();
  }
}
