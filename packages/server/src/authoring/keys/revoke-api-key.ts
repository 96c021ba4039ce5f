import { revokeKey } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { type Desk, work } from '../desk.ts';
import { findKey } from './key-rights.ts';

/** When it has returned, no further request with the key is answered. Revoking twice changes nothing. */
export function revokeApiKey(desk: Desk, actor: Actor, keyId: string): Promise<void> {
  return work(desk, actor, async (job) => {
    const key = await job.run(findKey(actor, keyId));
    if (key.revokedAt !== null) return;
    await job.run(revokeKey(keyId, job.now));
    await job.note({ action: 'key.revoke', subjectId: keyId, subjectName: key.name });
  });
}
