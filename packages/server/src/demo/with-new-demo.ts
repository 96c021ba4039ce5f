// The demo: a small magazine on an empty database, so that a first start shows something. Its key is shown once, like
// any other, so the demo is kept only together with it, and only when whoever wanted it got to show it.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { createApiKeyIn } from '../authoring/create-api-key.ts';
import { importBundleInto } from '../bundle/import-bundle.ts';
import type { DemoAccess } from '../explorer/demo-access.ts';
import { locateInPackage } from '../package-folder.ts';
import { MAIN_ACCOUNT_NO, type Storage, selectSites, type Transaction } from '../storage/port.ts';

const DEMO_BUNDLE = 'demo/magazine.ndjson';

/**
 * Runs `work` with the access to a new demo, or with undefined where the database has a site already.
 * When `work` fails, nothing of the demo is kept.
 */
export async function withNewDemo<Outcome>(
  storage: Storage,
  now: number,
  work: (demo: DemoAccess | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  const sites = await storage.read(selectSites());
  if (sites.length > 0) return work(undefined);
  return storage.transaction(async (transaction) => work(await createDemo(transaction, now)));
}

/** Undefined where the database has a site already. */
async function createDemo(transaction: Transaction, now: number): Promise<DemoAccess | undefined> {
  if ((await transaction.run(selectSites())).length > 0) return undefined;
  const path = locateInPackage(DEMO_BUNDLE);
  await importBundleInto(transaction, path, { now, newUuid: randomUUIDv7, onProgress: () => {} });
  const [site] = await transaction.run(selectSites());
  if (site === undefined) throw new Error(`${path} brings no site`);
  const { token } = await createApiKeyIn(transaction, {
    accountNo: MAIN_ACCOUNT_NO,
    name: 'Demo',
    siteIds: [site.id],
    mayPreview: true,
    expiresAt: null,
    rateLimit: null,
    now,
    newUuid: randomUUIDv7,
    randomBytes,
  });
  return { token, siteId: site.id };
}
