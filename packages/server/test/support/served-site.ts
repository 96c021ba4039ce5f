// A site in a separate database, served by `galley serve`, with an API key for readers and a management token.

import { join } from 'node:path';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { createApiKey } from '../../src/authoring/api-keys.ts';
import { createManagementToken } from '../../src/authoring/people/management-tokens.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { importText } from '../import/export-database.ts';
import { type CommandOptions, makeFolder, type RunningServer, startServer } from './galley-command.ts';
import { toLines } from './small-site.ts';

/** The server stops when this object goes out of scope. */
export interface ServedSite extends AsyncDisposable {
  readonly server: RunningServer;
  readonly url: string;
  readonly databasePath: string;
  /** The token of an API key for all sites, without preview permission. */
  readonly key: { readonly id: string; readonly token: string };
  /** An owner's management token. */
  readonly managementToken: string;
  /** The environment for commands that use the same database. */
  readonly commandOptions: CommandOptions;
}

export interface ServeOptions {
  readonly workers?: number;
  /** GALLEY_* settings */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function serveSite(
  records: readonly object[],
  { workers = 1, environment = {} }: ServeOptions = {},
): Promise<ServedSite> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await makeFolder());
  const databasePath = join(folder.path, 'data/galley.db');
  const access = await prepare(databasePath, folder.path, records);
  const commandOptions = { cwd: folder.path, env: { GALLEY_DEMO: 'false', ...environment } };
  const server = resources.use(await startServer(commandOptions, ['--workers', String(workers)]));
  const held = resources.move();
  return {
    server,
    url: server.url,
    databasePath,
    ...access,
    commandOptions,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function prepare(path: string, folder: string, records: readonly object[]) {
  const storage = await openSqlite(path, Date.now());
  try {
    await importText(storage, folder, toLines(records));
    const desk = createDesk(storage);
    const rights = { name: 'Readers', siteIds: null, mayPreview: false, expiresAt: null, rateLimit: null };
    const key = await createApiKey(desk, COMMAND_ACTOR, rights);
    const token = { name: 'Managers', role: 'owner', expiresAt: null } as const;
    const { token: managementToken } = await createManagementToken(desk, COMMAND_ACTOR, token);
    return { key: { id: key.id, token: key.token }, managementToken };
  } finally {
    await storage.close();
  }
}
