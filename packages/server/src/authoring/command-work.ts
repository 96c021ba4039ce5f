// Operations for commands. Commands do not say which account or site an object belongs to, so this file looks it up.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { buildEmailKey } from '../content/text-rules.ts';
import { selectAccountById, selectUserByEmail } from '../storage/accounts/accounts.ts';
import { selectRecordsOfAllSites } from '../storage/contents/content-records.ts';
import { selectSites } from '../storage/sites/select-catalog.ts';
import { selectSiteAccount } from '../storage/sites/write-site.ts';
import type { Procedure } from '../storage/statement.ts';
import type { Storage } from '../storage/storage.ts';
import { selectWebhookPlace } from '../storage/webhooks/webhooks.ts';
import { type Actor, COMMAND_ACTOR } from './actor.ts';
import { AuthoringRefusal, refuseAbsent } from './authoring-refusal.ts';
import { deleteAuthor } from './authors.ts';
import { deleteContent } from './contents/delete-content.ts';
import { type ContentAddress, publishContent, unpublishContent } from './contents/publish-content.ts';
import type { UrlWarning } from './contents/url-clashes.ts';
import type { Desk } from './desk.ts';
import { deleteUser } from './people/users.ts';
import { deleteSite } from './sites/delete-site.ts';
import type { WebhookAddress } from './webhooks.ts';

/** Commands use the main account unless they specify a different one. */
export async function findCommandActor({ storage }: Desk, accountId: string | undefined): Promise<Actor> {
  if (accountId === undefined) return COMMAND_ACTOR;
  const account = await storage.read(selectAccountById(accountId));
  if (account === undefined) throw refuseAbsent(`There is no account ${accountId}.`);
  return { ...COMMAND_ACTOR, accountNo: account.no };
}

export interface PublishRequest {
  readonly contentId: string;
  /** Needed only if several sites have content with this id. */
  readonly siteId?: string | undefined;
  readonly now: number;
}

/** @returns warnings about the URL of the published content */
export async function publishById(storage: Storage, request: PublishRequest): Promise<readonly UrlWarning[]> {
  const { actor, address } = await findAddress(storage, request);
  return (await publishContent(buildDesk(storage, request), actor, address, {})).warnings;
}

/** Does not ask for confirmation, even if other content links to this content. */
export async function unpublishById(storage: Storage, request: PublishRequest): Promise<void> {
  const { actor, address } = await findAddress(storage, request);
  await unpublishContent(buildDesk(storage, request), actor, address, { isConfirmed: true });
}

function buildDesk(storage: Storage, { now }: PublishRequest): Desk {
  return { storage, now: () => now, newUuid: randomUUIDv7, randomBytes };
}

async function findAddress(
  storage: Storage,
  { contentId, siteId }: Pick<PublishRequest, 'contentId' | 'siteId'>,
): Promise<{ readonly actor: Actor; readonly address: ContentAddress }> {
  const numbers = new Set((await storage.read(selectRecordsOfAllSites(contentId))).map(({ siteNo }) => siteNo));
  const sites = (await storage.read(selectSites())).filter(
    ({ no, id }) => numbers.has(no) && (siteId === undefined || siteId === id),
  );
  const [site, ...others] = sites;
  if (site === undefined) {
    const place = siteId === undefined ? '' : ` in site ${siteId}`;
    throw new AuthoringRefusal(`There is no content ${contentId}${place}.`);
  }
  if (others.length > 0) {
    const ids = sites.map(({ id }) => id).join(', ');
    throw new AuthoringRefusal(`Several sites have content ${contentId}: ${ids}. Use --site to choose one.`);
  }
  return { actor: { ...COMMAND_ACTOR, accountNo: site.accountNo }, address: { siteId: site.id, contentId } };
}

/** @param siteId needed only if several sites have content with this id */
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

export function* findSiteActor(siteId: string): Procedure<Actor> {
  const accountNo = yield* selectSiteAccount(siteId);
  if (accountNo === undefined) throw refuseAbsent(`There is no site ${siteId}.`);
  return { ...COMMAND_ACTOR, accountNo };
}

/** Commands name a webhook without naming its site. */
export function* findWebhookPlace(webhookId: string): Procedure<{ actor: Actor; address: WebhookAddress }> {
  const place = yield* selectWebhookPlace(webhookId);
  if (place === undefined) throw refuseAbsent(`There is no webhook ${webhookId}.`);
  const { siteId, accountNo } = place;
  return { actor: { ...COMMAND_ACTOR, accountNo }, address: { siteId, webhookId } };
}
