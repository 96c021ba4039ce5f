// Links that show a draft to people without an account. A link's token is returned only when the link is created.

import type { NewShareLinkBody, ShareLinkBody, ShareLinkListBody } from '@galley/wire';
import { z } from 'zod';
import {
  type ContentAddress,
  createShareLink,
  revokeShareLink,
  selectOwnShareLinks,
} from '../../authoring/contents/share-links.ts';
import { MOST_SHARE_LINKS, MOST_SHARED_HOURS, USUAL_SHARED_HOURS } from '../../content/preview-rules.ts';
import { idMember, orUnset, strictMembers } from '../../content/schema-members.ts';
import { formatTimestamp } from '../../content/timestamp.ts';
import type { ShareLink } from '../../storage/keys/share-links.ts';
import { defineRoute, type Route } from '../route.ts';
import { saverBody } from './content-bodies.ts';

const linkShape = {
  id: z.string(),
  address: z.string().describe('The id of the preview address, which may have been removed since.'),
  address_name: z.string().describe('The name of the preview address when the link was created.'),
  expires_at: z.string(),
  created_at: z.string(),
  created_by: saverBody,
};

const linkBody: z.ZodType<ShareLinkBody> = z.strictObject(linkShape).meta({ id: 'ShareLink' });

const newLinkAnswer: z.ZodType<NewShareLinkBody> = z
  .strictObject({ ...linkShape, url: z.string().describe('The link, with its token. It is never shown again.') })
  .meta({ id: 'NewShareLink' });

const linkListBody: z.ZodType<ShareLinkListBody> = z
  .strictObject({ data: z.array(linkBody) })
  .meta({ id: 'ShareLinkList' });

function renderLink(link: ShareLink): ShareLinkBody {
  return {
    id: link.id,
    address: link.addressId,
    address_name: link.addressName,
    expires_at: formatTimestamp(link.expiresAt),
    created_at: formatTimestamp(link.createdAt),
    created_by: { id: link.createdBy.id, name: link.createdBy.name },
  };
}

const HOURS_RULE = `must be a whole number from 1 to ${MOST_SHARED_HOURS}`;

const newLinkBody = strictMembers('a share link', {
  address: orUnset(idMember),
  hours: z
    .int({ error: HOURS_RULE })
    .min(1, { error: HOURS_RULE })
    .max(MOST_SHARED_HOURS, { error: HOURS_RULE })
    .default(USUAL_SHARED_HOURS),
});

const tag = 'Previews';

function readAddress(path: Readonly<Record<string, string>>): ContentAddress {
  return { siteId: path.site ?? '', contentId: path.content ?? '' };
}

export const SHARE_LINK_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'listShareLinks',
    method: 'GET',
    path: '/sites/{site}/content/{content}/share-links',
    who: 'member',
    tag,
    summary: 'List the share links for a piece of content, newest first',
    description: `Expired and revoked links are not listed. A content object can have at most ${MOST_SHARE_LINKS} share links at a time, so they all fit on one page.`,
    status: 200,
    answer: linkListBody,
    refusals: [404],
    run: async ({ desk, actor, path }) => {
      const links = await desk.storage.read(selectOwnShareLinks(actor, readAddress(path), desk.now()));
      return { data: links.map(renderLink) };
    },
  }),
  defineRoute({
    operationId: 'createShareLink',
    method: 'POST',
    path: '/sites/{site}/content/{content}/share-links',
    repeatGets: 'refusal',
    who: 'member',
    tag,
    summary: 'Create a share link',
    description:
      'The link shows the content, as it was last saved, to anybody who has it. Its token works as a key for the delivery API that can read only this content and the content it links to. ' +
      '`address` is the id of a preview address; without it, the first one is used. The response contains the link, which is never shown again.',
    body: newLinkBody,
    status: 201,
    answer: newLinkAnswer,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body: { address: addressId, hours } }) => {
      const created = await createShareLink(desk, actor, { ...readAddress(path), addressId }, hours);
      return { ...renderLink(created), url: created.url };
    },
  }),
  defineRoute({
    operationId: 'revokeShareLink',
    method: 'DELETE',
    path: '/sites/{site}/content/{content}/share-links/{link}',
    who: 'member',
    tag,
    summary: 'Revoke a share link',
    description: 'All later requests that use the link are rejected.',
    status: 204,
    answer: null,
    refusals: [404],
    run: ({ desk, actor, path }) => revokeShareLink(desk, actor, { ...readAddress(path), linkId: path.link ?? '' }),
  }),
];
