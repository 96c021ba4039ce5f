// A primary, two replicas that follow it, and three nodes that use all of these servers, each in a separate process.

import { type PostgresServer, startPostgres } from '../../../../../scripts/testing/postgres-server.ts';
import { COMMAND_ACTOR } from '../../../src/authoring/actor.ts';
import { createApiKey } from '../../../src/authoring/api-keys.ts';
import { createManagementToken } from '../../../src/authoring/people/management-tokens.ts';
import { createDesk } from '../../../src/cli/with-storage.ts';
import { openPostgres } from '../../../src/storage/postgres/open-postgres.ts';
import { importText } from '../../import/export-database.ts';
import { makeFolder } from '../../support/galley-command.ts';
import { toLines } from '../../support/small-site.ts';
import { nameDatabase, runOnServer } from '../../support/test-server.ts';
import { FleetNode } from './fleet-node.ts';
import { buildFleetRecords } from './fleet-site.ts';

export const FRESHNESS_MS = 1000;
const DATABASE = 'galley';
const NODES = ['node 1', 'node 2', 'node 3'];

/** Everything is stopped when the object goes out of scope. */
export interface Fleet extends AsyncDisposable {
  readonly primary: PostgresServer;
  readonly replicas: [PostgresServer, PostgresServer];
  /** Replaces a replica with another server that has the same address and the primary's current data. */
  replaceReplica(place: 0 | 1): Promise<void>;
  readonly nodes: readonly FleetNode[];
  /** The token of an API key for all sites. */
  readonly key: string;
  /** An owner's token. */
  readonly managementToken: string;
}

export async function startFleet(): Promise<Fleet> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await makeFolder());
  const primary = resources.use(await startPostgres());
  await runOnServer(primary.url, `create database ${DATABASE}`);
  const access = await prepareDatabase(urlOf(primary), folder.path);
  const startReplica = async () => resources.use(await primary.startStandby());
  const replicas: Fleet['replicas'] = [await startReplica(), await startReplica()];
  const env = {
    GALLEY_DATABASE_URL: urlOf(primary),
    GALLEY_REPLICA_URLS: replicas.map(urlOf).join(','),
    GALLEY_FRESHNESS_MS: String(FRESHNESS_MS),
    GALLEY_METRICS: 'true',
  };
  const start = async (name: string) => resources.use(await FleetNode.start(name, { cwd: folder.path, env }));
  const nodes = await Promise.all(NODES.map(start));
  const held = resources.move();
  return {
    primary,
    replicas,
    nodes,
    ...access,
    async replaceReplica(place) {
      const { port, halt } = replicas[place];
      await halt('SIGKILL');
      replicas[place] = held.use(await primary.startStandby(port));
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** The URL of the database that the fleet serves from. */
export function urlOf(server: PostgresServer): string {
  return nameDatabase(server.url, DATABASE);
}

async function prepareDatabase(url: string, folder: string) {
  const storage = await openPostgres(url, Date.now());
  try {
    await importText(storage, folder, toLines(buildFleetRecords()));
    const desk = createDesk(storage);
    const rights = { name: 'Readers', siteIds: null, mayPreview: false, expiresAt: null, rateLimit: null };
    const { token: key } = await createApiKey(desk, COMMAND_ACTOR, rights);
    const token = { name: 'Publishers', role: 'owner', expiresAt: null } as const;
    const { token: managementToken } = await createManagementToken(desk, COMMAND_ACTOR, token);
    return { key, managementToken };
  } finally {
    await storage.close();
  }
}
