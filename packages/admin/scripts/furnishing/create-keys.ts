import { type ApiKeyRights, createApiKey, revokeApiKey } from '../../../server/src/authoring/api-keys.ts';
import type { Desk } from '../../../server/src/authoring/desk.ts';
import {
  createManagementToken,
  revokeManagementToken,
} from '../../../server/src/authoring/people/management-tokens.ts';
import { markKeysUsed } from '../../../server/src/storage/keys/api-keys.ts';
import type { Clock } from './clock.ts';
import { buildActor, ELSPETH } from './people.ts';

export interface Credentials {
  /** The token of the website's API key. */
  readonly keyToken: string;
  /** A token for the management API. */
  readonly managementToken: string;
}

const PLAIN: ApiKeyRights = { name: '', siteIds: ['s_demo'], mayPreview: false, expiresAt: null, rateLimit: null };

/** Creates API keys and management tokens in all states, and uses most of them. */
export async function createKeys(desk: Desk, clock: Clock): Promise<Credentials> {
  const actor = buildActor(ELSPETH);
  const createKey = (rights: Partial<ApiKeyRights>) => createApiKey(desk, actor, { ...PLAIN, ...rights });
  clock.turnTo(16, '08:31');
  const site = await createKey({ name: 'Website', rateLimit: 6000 });
  const mobile = await createKey({ name: 'Mobile app', rateLimit: 600, expiresAt: clock.find(-430, '00:00') });
  const preview = await createKey({ name: 'Preview', siteIds: null, mayPreview: true });
  const old = await createKey({ name: 'Old front end' });
  const uses = [
    [site.id, clock.find(0, '09:40')],
    [mobile.id, clock.find(0, '09:38')],
    [preview.id, clock.find(1, '16:02')],
    [old.id, clock.find(9, '07:15')],
  ] as const;
  await desk.storage.writeUnseen(markKeysUsed(new Map(uses)));

  const importer = await createManagementToken(desk, actor, {
    name: 'Nightly import',
    role: 'editor',
    expiresAt: null,
  });
  const expiresAt = clock.find(-90, '00:00');
  await createManagementToken(desk, actor, { name: 'Deployment', role: 'owner', expiresAt });
  const move = await createManagementToken(desk, actor, { name: 'Old site migration', role: 'owner', expiresAt });

  clock.turnTo(8, '14:20');
  await revokeApiKey(desk, actor, old.id);
  await revokeManagementToken(desk, actor, move.row.id);
  return { keyToken: site.token, managementToken: importer.token };
}
