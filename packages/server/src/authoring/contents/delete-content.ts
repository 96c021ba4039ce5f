import { findState } from '../../content/lifecycle.ts';
import { forgetInAudit } from '../../storage/accounts/audit-entries.ts';
import { forgetAnswers } from '../../storage/accounts/idempotent-calls.ts';
import { type StoredContentRecord, selectGroup } from '../../storage/contents/content-records.ts';
import { deleteContents } from '../../storage/contents/write-content.ts';
import { renameGroup } from '../../storage/publication/rewrite-content.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal } from '../authoring-refusal.ts';
import { forgetFailures, inPortions, refuseUnconfirmed } from '../delete-for-good.ts';
import { type Desk, work } from '../desk.ts';
import { selectOwnRecord } from './find-content.ts';
import type { ContentAddress } from './publish-content.ts';

/**
 * Permanently deletes archived content with all its versions. Readers cannot see archived content, so they are not affected.
 * Links to the deleted content remain stored in other content, but readers do not see them.
 * @param confirm must be the id
 */
export async function deleteContent(
  desk: Desk,
  actor: Actor,
  { siteId, contentId }: ContentAddress,
  confirm: string | undefined,
): Promise<void> {
  await work(desk, actor, async (job) => {
    const record = await job.run(selectOwnRecord(actor, siteId, contentId));
    refuseUnconfirmed(contentId, confirm);
    if (record.status !== 'archived') throw refuseInUse(record);
    await job.run(leaveGroup(record));
    await job.run(deleteContents([record], job.now));
    await job.run(forgetAnswers(actor.accountNo));
    await forgetFailures(job, { no: record.siteNo, id: siteId }, contentId);
    await inPortions(0, (after) =>
      job.run(forgetInAudit(actor.accountNo, { kind: 'content', siteId, id: contentId }, after)),
    );
    await job.note({ action: 'content.delete', siteId, subjectId: contentId });
  });
  await desk.storage.eraseTraces();
}

function refuseInUse(record: StoredContentRecord): AuthoringRefusal {
  const state = findState(record);
  const message = `Content ${record.id} is not archived. Archive it first, then delete it for good.`;
  return new AuthoringRefusal(message, {
    reason: 'conflict',
    code: 'wrong_state',
    details: { reason: 'not_archived', state },
  });
}

/** A translation group is named after one of its records. New content that reuses the deleted id must not join the group. */
function* leaveGroup({ siteNo, id, translationGroup }: StoredContentRecord): Procedure<void> {
  if (translationGroup !== id) return;
  const others = (yield* selectGroup(siteNo, id)).filter((each) => each.id !== id);
  for (const { id: name } of others) {
    if ((yield* selectGroup(siteNo, name)).length > 0) continue;
    return yield* renameGroup(
      others.map(({ no }) => no),
      name,
    );
  }
}
