// An installation that has an embedded database and has been in use for a while. It contains the demo site with more content, a random
// site, users, keys of every kind, versions, schedules, a webhook with a call, a preview address with a share link, and audit log entries.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_ACTOR } from '../../src/authoring/actor.ts';
import { createShareLink } from '../../src/authoring/contents/share-links.ts';
import { createManagementToken } from '../../src/authoring/people/management-tokens.ts';
import { createUser } from '../../src/authoring/people/users.ts';
import { fireDue } from '../../src/authoring/schedule/fire-due.ts';
import { updatePreviewAddresses } from '../../src/authoring/sites/preview-settings.ts';
import { createWebhook, DEFAULT_SETTINGS, updateWebhook } from '../../src/authoring/webhooks.ts';
import { createDesk } from '../../src/cli/with-storage.ts';
import { EVENT_KINDS } from '../../src/content/webhook-event.ts';
import type { DatabaseUrl } from '../../src/settings.ts';
import { revokeKey } from '../../src/storage/keys/api-keys.ts';
import { makeFolder } from '../support/galley-command.ts';
import { startService, type TestService } from '../support/service.ts';

export const BASE = 'https://content.example';
export const SIGN_IN = { email: 'ada@example.com', password: 'correct horse battery' };

/** The service stops when the object goes out of scope. */
export interface GrownInstallation extends AsyncDisposable {
  readonly service: TestService;
  readonly folder: string;
  readonly databasePath: string;
  /** The tokens of API keys. */
  readonly keys: Readonly<Record<'preview' | 'demoOnly' | 'revoked', string>>;
  readonly managementToken: string;
  readonly webhookId: string;
  /** The webhook's secret. */
  readonly secret: string;
  /** The token of a link that shares `c_glue`. */
  readonly shareToken: string;
}

const DEMO_BUNDLE = join(import.meta.dirname, '../../demo/magazine.ndjson');

interface DemoRecord {
  readonly kind: string;
  readonly [member: string]: unknown;
}

/** Content that lacks values its type requires, so its schedule fails. */
const LACKING = {
  kind: 'content',
  id: 'c_lacking',
  site: 's_demo',
  content_type: 'category',
  author: null,
  language: 'en',
  translation_of: null,
  slug: 'lacking',
  name: 'Lacking',
  status: 'draft',
  publish_at: '2025-01-01T00:00:00+00:00',
  fields: {},
};

/** @param others records of additional sites */
export async function growInstallation(objects: number, others: readonly object[]): Promise<GrownInstallation> {
  await using resources = new AsyncDisposableStack();
  const { path: folder } = resources.use(await makeFolder());
  const databasePath = join(folder, 'data/galley.db');
  const service = await serveDatabase({ engine: 'sqlite', path: databasePath });
  resources.defer(() => service.close());
  const demo = readDemo();
  await service.importBundle(DEMO_BUNDLE);
  await service.importRecords([...growDemo(demo, objects), ...others, LACKING]);
  await service.publish('s_demo', 'c_ink_black');
  await service.unpublish('s_demo', 'c_mill_winter');
  await service.publish('s_demo', 'c_mill_winter');
  const desk = createDesk(service.storage);
  const { id: webhookId, secret } = await createWebhook(desk, COMMAND_ACTOR, 's_demo', {
    ...DEFAULT_SETTINGS,
    name: 'Alarm',
    url: 'https://hooks.example/',
    kinds: EVENT_KINDS,
    headers: { 'x-key': 'numbat' },
  });
  for await (const _ of fireDue(desk, Date.now()));
  // Switching the webhook off ends the call about the failed schedule.
  const address = { siteId: 's_demo', webhookId };
  await updateWebhook(desk, COMMAND_ACTOR, address, (known) => ({ ...known, isOn: false }));
  await createUser(desk, COMMAND_ACTOR, { ...SIGN_IN, name: 'Ada', role: 'owner' });
  const token = { name: 'Script', role: 'owner', expiresAt: null } as const;
  const { token: managementToken } = await createManagementToken(desk, COMMAND_ACTOR, token);
  await updatePreviewAddresses(desk, COMMAND_ACTOR, 's_demo', () => [
    { name: 'Website', address: 'https://site.example', pattern: null },
  ]);
  const place = { siteId: 's_demo', contentId: 'c_glue', addressId: undefined };
  const { url } = await createShareLink(desk, COMMAND_ACTOR, place, 1);
  const preview = await service.createKey({ allSites: true, preview: true });
  const demoOnly = await service.createKey({ sites: ['s_demo'] });
  const revoked = await service.createKey({ allSites: true });
  await service.storage.transaction((transaction) => transaction.run(revokeKey(revoked.id, Date.now())));
  const held = resources.move();
  return {
    service,
    folder,
    databasePath,
    keys: { preview: preview.token, demoOnly: demoOnly.token, revoked: revoked.token },
    managementToken,
    webhookId,
    secret,
    shareToken: new URL(url).searchParams.get('secret') ?? '',
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** A service on an existing database, which is not deleted afterwards. */
export function serveDatabase(url: DatabaseUrl): Promise<TestService> {
  return startService({ GALLEY_PUBLIC_URL: BASE }, { createDatabase: async () => ({ url, remove: async () => {} }) });
}

function readDemo(): readonly DemoRecord[] {
  return readFileSync(DEMO_BUNDLE, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Additional objects like those in the demo, with different names, times and numbers. */
function growDemo(demo: readonly DemoRecord[], objects: number): readonly object[] {
  const models = demo.filter(
    ({ kind, status, uri }) => kind === 'content' && status === 'published' && uri === undefined,
  );
  return Array.from({ length: objects }, (_, index) => {
    const model = models[index % models.length];
    const day = new Date(Date.UTC(2024, 0, 1) + ((index * 7919) % objects) * 3_600_000);
    return {
      ...model,
      draft: undefined,
      id: `c_more_${index}`,
      translation_of: null,
      slug: `more-${index}`,
      name: `Möre ${index % 97} ${'x'.repeat(index % 5)}`,
      published_at: day.toISOString(),
      ...(index % 10 === 1 && { draft: { name: `Changed ${index}` } }),
      ...(index % 25 === 2 && { status: 'draft', published_at: undefined, publish_at: '2999-01-01T00:00:00+00:00' }),
      ...(index % 25 === 3 && { unpublish_at: '2999-06-01T00:00:00+00:00' }),
    };
  });
}
