// Creates and revokes links that show a draft to people without an account. A link works until it expires or is revoked, or until its
// content, or the user who created it, is deleted. Changes take effect on the next request.

import { buildToken, hashToken, TOKEN_BYTES } from '../../content/api-token.ts';
import { buildId } from '../../content/ids.ts';
import { buildPreviewUrl, canShare, MOST_SHARE_LINKS } from '../../content/preview-rules.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import { deleteShareLink, insertShareLink, type ShareLink, selectShareLinks } from '../../storage/keys/share-links.ts';
import type { Procedure } from '../../storage/statement.ts';
import type { Actor } from '../actor.ts';
import { AuthoringRefusal, refuseAbsent, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';
import { findPreview, type PreviewPlace } from '../sites/preview-settings.ts';
import { selectOwnRecord } from './find-content.ts';

const HOUR_MS = 3_600_000;

export interface ContentAddress {
  readonly siteId: string;
  readonly contentId: string;
}

/** The content's links that still work, newest first. */
export function* selectOwnShareLinks(
  actor: Actor,
  { siteId, contentId }: ContentAddress,
  now: number,
): Procedure<readonly ShareLink[]> {
  const record = yield* selectOwnRecord(actor, siteId, contentId);
  return yield* selectShareLinks(record.no, now);
}

export interface CreatedShareLink extends ShareLink {
  /** Contains the token. Shown once and not stored. */
  readonly url: string;
}

export function createShareLink(
  desk: Desk,
  actor: Actor,
  place: PreviewPlace,
  hours: number,
): Promise<CreatedShareLink> {
  return work(desk, actor, async (job) => {
    const { record, address } = await job.run(findPreview(actor, place, 'address'));
    if (!canShare(address)) {
      const message = `names a preview address whose pattern does not contain {secret}, so its website cannot recognise share links; got ${JSON.stringify(address.name)}`;
      throw refuseFaults([{ path: 'address', message, code: 'not_allowed', values: { value: address.name } }]);
    }
    if ((await job.run(selectShareLinks(record.no, job.now))).length >= MOST_SHARE_LINKS) {
      const message = `Content can have at most ${MOST_SHARE_LINKS} share links at a time. Revoke one first.`;
      throw new AuthoringRefusal(message, { reason: 'conflict', code: 'limit_reached' });
    }
    const token = buildToken('share', job.randomBytes(TOKEN_BYTES));
    const link: ShareLink = {
      id: buildId('shareLink', job.newUuid()),
      addressId: address.id,
      addressName: address.name,
      createdAt: job.now,
      expiresAt: job.now + hours * HOUR_MS,
      createdBy: { id: actor.id, name: actor.name },
    };
    const { no: contentNo, siteNo } = record;
    await job.run(insertShareLink({ ...link, siteNo, contentNo, tokenHash: hashToken(token) }));
    const details = { link: link.id, address: address.name, expires_at: formatTimestamp(link.expiresAt) };
    const { siteId, contentId: subjectId } = place;
    await job.note({ action: 'content.share', siteId, subjectId, subjectName: record.name, details });
    return { ...link, url: buildPreviewUrl(address, record, token) };
  });
}

/** Once this returns, the link no longer works. */
export function revokeShareLink(
  desk: Desk,
  actor: Actor,
  { siteId, contentId, linkId }: ContentAddress & { readonly linkId: string },
): Promise<void> {
  return work(desk, actor, async (job) => {
    const record = await job.run(selectOwnRecord(actor, siteId, contentId));
    const links = await job.run(selectShareLinks(record.no, job.now));
    const link = links.find(({ id }) => id === linkId);
    if (link === undefined) throw refuseAbsent(`There is no share link ${linkId}.`);
    await job.run(deleteShareLink(linkId));
    const details = { link: linkId, address: link.addressName };
    await job.note({ action: 'content.unshare', siteId, subjectId: contentId, subjectName: record.name, details });
  });
}
