// What commands delete for good. They name a thing without its account, which is found here.

import { buildEmailKey } from '../content/email.ts';
import { type Procedure, selectSiteAccount, selectUserByEmail } from '../storage/port.ts';
import { type Actor, COMMAND_ACTOR } from './actor.ts';
import { refuseAbsent } from './authoring-refusal.ts';
import { deleteAuthor } from './authors/delete-author.ts';
import { deleteContent } from './contents/delete-content.ts';
import type { Desk } from './desk.ts';
import { deleteUser } from './people/delete-user.ts';
import { findAddress } from './publish-by-id.ts';
import { deleteSite } from './sites/delete-site.ts';

/** @param siteId needed only where several sites have content with this id */
export async function deleteContentById(desk: Desk, contentId: string, siteId: string | undefined): Promise<void> {
  const { actor, address } = await findAddress(desk.storage, { contentId, siteId });
  await deleteContent(desk, actor, address, contentId);
}

export async function deleteAuthorOfSite(
  desk: Desk,
  siteId: string,
  authorId: string,
  replaceWith: string | undefined,
): Promise<void> {
  const actor = await desk.storage.read(findSiteActor(siteId));
  await deleteAuthor(desk, actor, siteId, authorId, { confirm: authorId, replaceWith });
}

export async function deleteUserByEmail(desk: Desk, email: string): Promise<void> {
  const user = await desk.storage.read(selectUserByEmail(buildEmailKey(email)));
  if (user === undefined) throw refuseAbsent(`There is no user ${email}.`);
  await deleteUser(desk, { ...COMMAND_ACTOR, accountNo: user.account_no }, user.id, user.id);
}

export async function deleteSiteById(desk: Desk, siteId: string): Promise<void> {
  await deleteSite(desk, await desk.storage.read(findSiteActor(siteId)), siteId, siteId);
}

function* findSiteActor(siteId: string): Procedure<Actor> {
  const accountNo = yield* selectSiteAccount(siteId);
  if (accountNo === undefined) throw refuseAbsent(`There is no site ${siteId}.`);
  return { ...COMMAND_ACTOR, accountNo };
}
