// Writes to storage as the commands do, without a running service.

import { randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { createApiKey } from '../../src/authoring/api-keys.ts';
import { publishById, unpublishById } from '../../src/authoring/command-work.ts';
import { importBundle } from '../../src/bundle/import-bundle.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import type { Visit } from '../../src/storage/delivery-reads.ts';
import type { Storage } from '../../src/storage/storage.ts';

export async function importRecords(storage: Storage, records: readonly object[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-bundle-'));
  try {
    const path = join(folder, 'records.ndjson');
    await writeFile(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    await importBundle(storage, path, {
      now: Date.now(),
      newUuid: randomUUIDv7,
      onProgress: () => {},
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function publish(storage: Storage, siteId: string, contentId: string): Promise<void> {
  await publishById(storage, { siteId, contentId, now: Date.now() });
}

export function unpublish(storage: Storage, siteId: string, contentId: string): Promise<void> {
  return unpublishById(storage, { siteId, contentId, now: Date.now() });
}

/** Creates a key for all sites. Returns its ID and its token. */
export async function createKey(storage: Storage): Promise<{ readonly id: string; readonly token: string }> {
  return createApiKey(createDesk(storage), COMMAND_ACTOR, {
    name: 'test',
    siteIds: null,
    mayPreview: true,
    expiresAt: null,
    rateLimit: null,
  });
}

/** Looks up the caller with this token, as the delivery API does for each request. */
export async function readVisit(storage: Storage, token: string, siteId: string): Promise<Visit | undefined> {
  return storage.delivery.readVisit({ token, siteId, wantsNewest: false });
}
