// The demo fills an empty database with a small magazine and an owner who can manage it. A new installation then has something to show. The
// demo's key and password are shown only once, so the demo is not committed until they have been shown.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { COMMAND_ACTOR } from '../authoring/actor.ts';
import { createApiKeyIn } from '../authoring/api-keys.ts';
import { type Job, openJob } from '../authoring/desk.ts';
import { buildPassword, PASSWORD_BYTES } from '../authoring/people/passwords.ts';
import { addUser, type PreparedUser, prepareUser } from '../authoring/people/users.ts';
import type { BundleFiles } from '../bundle/bundle-files.ts';
import { importBundleInto } from '../bundle/import-bundle.ts';
import type { DemoAccess } from '../explorer/register-explorer.ts';
import type { AssetsLocation } from '../files/assets-url.ts';
import { locateInPackage } from '../package-folder.ts';
import { hasUsers } from '../storage/accounts/accounts.ts';
import type { Transaction } from '../storage/engine.ts';
import { hasHadSites, selectSites } from '../storage/sites/select-catalog.ts';
import type { Storage } from '../storage/storage.ts';

export interface SignIn {
  readonly email: string;
  readonly password: string;
}

export interface NewDemo {
  readonly access: DemoAccess;
  /** Undefined if there is no management API, or if someone can already sign in. */
  readonly signIn: SignIn | undefined;
}

export interface DemoOptions {
  readonly now: number;
  /** Whether the management API is served. */
  readonly isAdminServed: boolean;
  /** The store for the demo's pictures. */
  readonly assetsUrl: AssetsLocation;
}

const DEMO_BUNDLE = 'demo/magazine.ndjson';
const OWNER_EMAIL = 'owner@example.com';
const DESK = { newUuid: randomUUIDv7, randomBytes };

/**
 * Runs `work` with a new demo, or with undefined if the database has a site or had one that was deleted.
 * If `work` fails, the demo is not committed.
 */
export async function withNewDemo<Outcome>(
  storage: Storage,
  { now, isAdminServed, assetsUrl }: DemoOptions,
  work: (demo: NewDemo | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  if (await storage.read(hasHadSites())) return work(undefined);
  const signIn = { email: OWNER_EMAIL, password: buildPassword(randomBytes(PASSWORD_BYTES)) };
  const owner = isAdminServed ? await prepareUser(DESK, { ...signIn, name: 'Demo owner', role: 'owner' }) : undefined;
  // Only a new demo needs the code that detects file types.
  const { openBundleFiles } = await import('../bundle/take-bundle-files.ts');
  await using files = openBundleFiles(assetsUrl);
  return await storage.transaction(async (transaction) => {
    const job = openJob({ ...DESK, now: () => now }, COMMAND_ACTOR, transaction);
    const access = await createDemo(job, transaction, files);
    if (access === undefined) return work(undefined);
    const hasSignIn = owner !== undefined && (await addOwner(job, owner));
    return work({ access, signIn: hasSignIn ? signIn : undefined });
  });
}

/** Returns undefined if the database has or had a site. */
async function createDemo(job: Job, transaction: Transaction, files: BundleFiles): Promise<DemoAccess | undefined> {
  if (await job.run(hasHadSites())) return undefined;
  const path = locateInPackage(DEMO_BUNDLE);
  await importBundleInto(transaction, path, { now: job.now, newUuid: randomUUIDv7, files, onProgress: () => {} });
  const [site] = await job.run(selectSites());
  if (site === undefined) throw new Error(`${path} does not contain a site`);
  const rights = { name: 'Demo', siteIds: [site.id], mayPreview: true, expiresAt: null, rateLimit: null };
  const { token } = await createApiKeyIn(job, rights);
  return { token, siteId: site.id };
}

/** Returns false if someone can already sign in. */
async function addOwner(job: Job, owner: PreparedUser): Promise<boolean> {
  if (await job.run(hasUsers())) return false;
  await addUser(job, owner);
  return true;
}
