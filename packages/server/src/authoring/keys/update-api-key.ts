import { type KeyRecord, updateKey } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import { describeChange } from '../describe-change.ts';
import { type Desk, work } from '../desk.ts';
import { type ApiKeyRights, describeRights, findKey, findSiteNos } from './key-rights.ts';

/** What is not given stays as it is. When it has returned, the next request with the key meets the new rights. */
export function updateApiKey(
  desk: Desk,
  actor: Actor,
  keyId: string,
  change: (key: KeyRecord) => ApiKeyRights,
): Promise<void> {
  return work(desk, actor, async (job) => {
    const key = await job.run(findKey(actor, keyId));
    if (key.revokedAt !== null) {
      throw new AuthoringRefusal(`The API key ${keyId} is revoked.`, { reason: 'conflict' });
    }
    const rights = change(key);
    const siteNos = await findSiteNos(job, rights.siteIds);
    if (isSameAs(key, rights)) return;
    await job.run(updateKey(keyId, { ...rights, siteNos }));
    const details = describeChange(describeRights(key), describeRights(rights));
    await job.note({ action: 'key.update', subjectId: keyId, subjectName: rights.name, details });
  });
}

function isSameAs(key: KeyRecord, rights: ApiKeyRights): boolean {
  return (
    key.name === rights.name &&
    key.mayPreview === rights.mayPreview &&
    key.expiresAt === rights.expiresAt &&
    key.rateLimit === rights.rateLimit &&
    JSON.stringify(key.siteIds) === JSON.stringify(rights.siteIds?.toSorted() ?? null)
  );
}
