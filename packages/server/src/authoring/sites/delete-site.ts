import { forgetInAudit } from '../../storage/accounts/audit-entries.ts';
import { forgetAnswers } from '../../storage/accounts/idempotent-calls.ts';
import { OutcomeUnknown, StorageUnavailable, type Transaction } from '../../storage/engine.ts';
import {
  beginSiteDeletion,
  deleteSitePortion,
  finishSiteDeletion,
  isBeingDeleted,
  selectUnfinishedDeletion,
} from '../../storage/sites/write-site.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Actor } from '../actor.ts';
import { inPortions, refuseUnconfirmed } from '../delete-for-good.ts';
import { type Desk, work } from '../desk.ts';
import { findSite } from './find-site.ts';

/**
 * Deletes a site with everything in it. The first transaction hides the site from readers and editors. Many small transactions then delete
 * its content, so that other writers can run in between. If the deletion is interrupted, repeating the call resumes it.
 * @param confirm must be the id
 */
export async function deleteSite(desk: Desk, actor: Actor, siteId: string, confirm: string | undefined): Promise<void> {
  const siteNo = await beginDeletion(desk, actor, siteId, confirm);
  const { storage } = desk;
  try {
    await inTransactions(storage, siteNo, async (run) =>
      (await run(deleteSitePortion(siteNo, desk.now()))) ? siteNo : null,
    );
    await inTransactions(storage, 0, (run, after) => run(forgetPortion(actor, siteNo, siteId, after)));
    await storage.transaction((transaction) => transaction.run(finishSiteDeletion(siteNo)));
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    throw new OutcomeUnknown('Only part of the site was deleted', { cause: error });
  }
  await storage.eraseTraces();
}

/**
 * Other writers never have to wait longer than this. Objects that are deleted together share database pages, so longer transactions write
 * less data.
 */
const LONGEST_TRANSACTION_MS = 1000;

async function inTransactions<Place>(
  storage: Storage,
  first: Place,
  portion: (run: Transaction['run'], place: Place) => Promise<Place | null>,
): Promise<void> {
  await inPortions(first, (begin) =>
    storage.transaction(async (transaction) => {
      const end = performance.now() + LONGEST_TRANSACTION_MS;
      let next: Place | null = begin;
      await inPortions(begin, async (place) => {
        next = await portion(transaction.run, place);
        return performance.now() < end ? next : null;
      });
      return next;
    }),
  );
}

function beginDeletion(desk: Desk, actor: Actor, siteId: string, confirm: string | undefined): Promise<number> {
  const { precondition, ...unconditional } = desk;
  return work(unconditional, actor, async (job) => {
    const unfinished = await job.run(selectUnfinishedDeletion(actor.accountNo, siteId));
    // The call that started the deletion met the precondition, which cannot be checked again because the site is now hidden.
    if (unfinished === undefined) await precondition?.(job);
    const siteNo = unfinished ?? (await findSite(job, siteId)).no;
    refuseUnconfirmed(siteId, confirm);
    if (unfinished !== undefined) return siteNo;
    await job.run(beginSiteDeletion(siteNo, job.now));
    await job.run(forgetAnswers(actor.accountNo));
    await job.note({ action: 'site.delete', siteId, subjectId: siteId });
    return siteNo;
  });
}

function* forgetPortion(actor: Actor, siteNo: number, siteId: string, after: number): Procedure<number | null> {
  if (!(yield* isBeingDeleted(siteNo))) return null;
  return yield* forgetInAudit(actor.accountNo, { kind: 'site', siteId }, after);
}
