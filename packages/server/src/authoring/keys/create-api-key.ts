import { buildToken, hashToken, shortenToken, TOKEN_BYTES } from '../../content/api-token.ts';
import { buildId } from '../../content/ids.ts';
import { insertKey } from '../../storage/port.ts';
import type { Actor } from '../actor.ts';
import { type Desk, type Job, work } from '../desk.ts';
import { type ApiKeyRights, describeRights, findSiteNos } from './key-rights.ts';

export interface CreatedApiKey {
  readonly id: string;
  /** To be shown once: it is not kept. */
  readonly token: string;
  readonly prefix: string;
}

export function createApiKey(desk: Desk, actor: Actor, request: ApiKeyRights): Promise<CreatedApiKey> {
  return work(desk, actor, async (job) => {
    const created = await createApiKeyIn(job, request);
    const { name: _, ...details } = describeRights(request);
    await job.note({ action: 'key.create', subjectId: created.id, subjectName: request.name, details });
    return created;
  });
}

/** As part of a larger transaction, which tells the audit log itself. */
export async function createApiKeyIn(job: Omit<Job, 'note'>, request: ApiKeyRights): Promise<CreatedApiKey> {
  const { siteIds, ...rights } = request;
  const token = buildToken('delivery', job.randomBytes(TOKEN_BYTES));
  const id = buildId('key', job.newUuid());
  const prefix = shortenToken(token);
  const siteNos = await findSiteNos(job, siteIds);
  const { accountNo } = job.actor;
  await job.run(
    insertKey({ id, accountNo, ...rights, siteNos, tokenHash: hashToken(token), prefix, createdAt: job.now }),
  );
  return { id, token, prefix };
}
