import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Desk } from '../authoring/desk.ts';
import { openStorage } from '../open-storage.ts';
import type { DatabaseUrl } from '../settings.ts';
import type { Storage } from '../storage/storage.ts';
import { CommandFailure } from './command-failure.ts';
import { readServiceSettings } from './read-service-settings.ts';

/** Runs a command's work on the configured database, which is created if it does not exist. */
export async function withStorage<Outcome>(work: (storage: Storage) => Promise<Outcome>): Promise<Outcome> {
  return openAndRun(readServiceSettings().databaseUrl, work);
}

/**
 * Used by commands that make no sense on a new database: if there is no database, the working directory is probably
 * wrong.
 */
export async function withExistingStorage<Outcome>(work: (storage: Storage) => Promise<Outcome>): Promise<Outcome> {
  const { databaseUrl } = readServiceSettings();
  refuseMissingDatabase(databaseUrl);
  return openAndRun(databaseUrl, work);
}

export function refuseMissingDatabase(databaseUrl: DatabaseUrl): void {
  if (databaseUrl.engine === 'sqlite' && !existsSync(databaseUrl.path)) {
    throw new CommandFailure(
      `There is no database at ${databaseUrl.path} yet. Check the current folder and GALLEY_DATABASE_URL.`,
    );
  }
}

export async function openAndRun<Outcome>(
  databaseUrl: DatabaseUrl,
  work: (storage: Storage) => Promise<Outcome>,
): Promise<Outcome> {
  const storage = await openStorage(databaseUrl, Date.now());
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** Creates a desk that uses the real clock and real random values. */
export function createDesk(storage: Storage): Desk {
  return { storage, now: Date.now, newUuid: randomUUIDv7, randomBytes };
}
