// Resources that are expensive to prepare and that many test files use: a PostgreSQL server, an unpacked browser, the packed packages.
// The run's main process prepares each of them when the first test asks for it, and stops them after the last test. A run that needs none
// of them pays for none of them.

import { createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { packOnce, packPackages, type Tarballs } from '../../../../scripts/packing/pack-packages.ts';
import { unpackBrowser } from '../../../../scripts/testing/packaged-browser.ts';
import { startPostgres } from '../../../../scripts/testing/postgres-server.ts';
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import { nameDatabase, runOnServer, TEMPLATE } from './test-server.ts';

export interface SharedResources {
  /** The URL of the PostgreSQL server's maintenance database, as the superuser. */
  readonly postgres: string;
  /** The path of the packaged Chromium. */
  readonly browser: string;
  /** The path of the client's tarball. */
  readonly client: string;
  /** The path of the preview library's tarball. */
  readonly preview: string;
  /** The tarballs of all published packages. */
  readonly packages: Tarballs;
}

type Name = keyof SharedResources;

interface Prepared {
  readonly value: unknown;
  readonly stop?: () => Promise<void>;
}

const PREPARE: Readonly<Record<Name, () => Promise<Prepared>>> = {
  postgres: preparePostgres,
  browser: async () => ({ value: await unpackBrowser() }),
  client: async () => ({ value: await packOnce('client') }),
  preview: async () => ({ value: await packOnce('preview') }),
  packages: async () => ({ value: await packPackages() }),
};

async function preparePostgres(): Promise<Prepared> {
  const server = await startPostgres();
  try {
    await runOnServer(server.url, `create database ${TEMPLATE}`);
    await (await openPostgres(nameDatabase(server.url, TEMPLATE), Date.now())).close();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { value: server.url, stop: server.stop };
}

/** Each test run has its own temporary folder, which all its processes know. */
const findSocket = (): string => join(tmpdir(), 'resources.sock');

/** Vitest calls this before it starts any worker, and calls the returned function after the last one has ended. */
export async function setup(): Promise<() => Promise<void>> {
  const prepared = new Map<Name, Promise<Prepared>>();
  const server = createServer(async (request, response) => {
    const name = (request.url ?? '').slice(1) as Name;
    try {
      const resource = prepared.get(name) ?? PREPARE[name]();
      prepared.set(name, resource);
      response.end(JSON.stringify({ value: (await resource).value }));
    } catch (error) {
      response.end(JSON.stringify({ error: String(error) }));
    }
  });
  await new Promise<void>((resolve) => server.listen(findSocket(), resolve));
  return async () => {
    server.close();
    for (const resource of prepared.values()) await (await resource).stop?.();
  };
}

const received = new Map<Name, Promise<unknown>>();

/** Called by tests. The first call in the run waits until the resource is ready. */
export async function useSharedResource<N extends Name>(name: N): Promise<SharedResources[N]> {
  const resource = received.get(name) ?? requestResource(name);
  received.set(name, resource);
  return (await resource) as SharedResources[N];
}

async function requestResource(name: Name): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  get({ socketPath: findSocket(), path: `/${name}` }, async (response) => {
    const answer = (await json(response)) as { readonly value?: unknown; readonly error?: string };
    if (answer.error === undefined) resolve(answer.value);
    else reject(new Error(`The test run could not prepare ${name}: ${answer.error}`));
  }).on('error', reject);
  return promise;
}
