// Where a site's drafts can be previewed, and the URL that opens a preview. Only owners see the secret by itself; the URL of a preview
// contains it, because anyone who edits drafts may preview them.

import type { PreviewSettingsBody, PreviewUrlBody } from '@galley/wire';
import { z } from 'zod';
import type { Actor } from '../../authoring/actor.ts';
import {
  findPreview,
  rotatePreviewSecret,
  selectOwnPreview,
  updatePreviewAddresses,
} from '../../authoring/sites/preview-settings.ts';
import {
  buildPreviewUrl,
  canShare,
  isPreviewPattern,
  MOST_PREVIEW_ADDRESSES,
  PREVIEW_ADDRESS_RULE,
  PREVIEW_PATTERN_RULE,
  parsePreviewAddress,
  readBrand,
} from '../../content/preview-rules.ts';
import { idMember, nameMember, orNull, orUnset, strictMembers, textMember } from '../../content/schema-members.ts';
import type { PreviewSettings } from '../../storage/sites/preview-settings.ts';
import { defineRoute, type Route } from '../route.ts';

const settingsBody: z.ZodType<PreviewSettingsBody> = z
  .strictObject({
    addresses: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        address: z.string().describe('The website’s origin, with an optional path.'),
        pattern: z
          .string()
          .nullable()
          .describe(
            'How the URL of a preview is built from `{base}`, `{id}`, `{secret}` and `{language}`. Null for `{base}/api/draft?secret={secret}&id={id}`.',
          ),
        can_share: z
          .boolean()
          .describe('Whether share links can be created for this address. Its pattern must contain `{secret}`.'),
      }),
    ),
    secret: z
      .string()
      .nullable()
      .describe(
        'A key for this site’s previews, included in their URLs. Null for editors, and until the first address is saved.',
      ),
  })
  .meta({ id: 'PreviewSettings' });

/** The settings, as the actor may see them. */
interface SeenSettings {
  readonly actor: Actor;
  readonly settings: PreviewSettings;
}

function renderSettings({ actor, settings }: SeenSettings): PreviewSettingsBody {
  const addresses = settings.addresses.map(({ id, name, address, pattern }) => {
    return { id, name, address, pattern, can_share: canShare({ pattern }) };
  });
  return { addresses, secret: actor.role === 'owner' ? settings.secret : null };
}

export const previewAddressMember = textMember(
  PREVIEW_ADDRESS_RULE,
  (text) => parsePreviewAddress(text) !== undefined,
  'url_invalid',
).transform((text) => parsePreviewAddress(text) ?? text);

const ADDRESSES_RULE = `must be an array of at most ${MOST_PREVIEW_ADDRESSES} preview addresses`;

const settingsChangeBody = strictMembers('a change to the preview settings', {
  addresses: z
    .array(
      strictMembers('a preview address', {
        id: orUnset(idMember),
        name: nameMember,
        address: previewAddressMember,
        pattern: orNull(textMember(PREVIEW_PATTERN_RULE, isPreviewPattern)),
        can_share: z
          .unknown()
          .optional()
          .describe('Ignored. It is allowed so that you can send back the addresses as you received them.'),
      }),
      { error: ADDRESSES_RULE },
    )
    .max(MOST_PREVIEW_ADDRESSES, { error: ADDRESSES_RULE }),
});

const urlBody: z.ZodType<PreviewUrlBody> = z
  .strictObject({
    url: z.string().describe('The URL that opens the preview. It contains the site’s preview secret.'),
    origin: z.string().describe('The origin of the website, for messages between the panel and the page.'),
    brand: z.string().describe('The prefix of these messages: the header prefix without `X-`, in lower case.'),
  })
  .meta({ id: 'PreviewUrl' });

const urlQuery = strictMembers('the query', { address: idMember.optional() });

const tag = 'Previews';

export const PREVIEW_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'getPreviewSettings',
    method: 'GET',
    path: '/sites/{site}/preview',
    who: 'member',
    tag,
    summary: 'Read a site’s preview addresses and secret',
    description: 'Only owners see the secret.',
    status: 200,
    answer: settingsBody,
    state: ({ settings }) => settings,
    refusals: [404],
    run: async ({ desk, actor, path }): Promise<SeenSettings> => ({
      actor,
      settings: await desk.storage.read(selectOwnPreview(actor, path.site ?? '')),
    }),
    render: renderSettings,
  }),
  defineRoute({
    operationId: 'replacePreviewAddresses',
    method: 'PUT',
    path: '/sites/{site}/preview',
    repeatGets: 'refusal',
    who: 'owner',
    tag,
    summary: 'Replace a site’s preview addresses',
    description:
      'The list replaces all addresses. An address with the `id` of an existing one changes it; an address without an `id` is new. ' +
      'The secret is generated when the first address is saved, and stays the same until it is rotated.',
    body: settingsChangeBody,
    status: 200,
    answer: settingsBody,
    refusals: [404, 422],
    run: async ({ desk, actor, path, body }): Promise<SeenSettings> => ({
      actor,
      settings: await updatePreviewAddresses(desk, actor, path.site ?? '', () => body.addresses),
    }),
    render: renderSettings,
  }),
  defineRoute({
    operationId: 'rotatePreviewSecret',
    method: 'POST',
    path: '/sites/{site}/preview/rotate-secret',
    repeatGets: 'refusal',
    who: 'owner',
    tag,
    summary: 'Replace a site’s preview secret',
    description:
      'Galley rejects the old secret from then on. A website that compares the secret with its own copy accepts the old one until you update that copy. Share links are not affected.',
    status: 200,
    answer: settingsBody,
    refusals: [404, 409],
    run: async ({ desk, actor, path }): Promise<SeenSettings> => ({
      actor,
      settings: await rotatePreviewSecret(desk, actor, path.site ?? ''),
    }),
    render: renderSettings,
  }),
  defineRoute({
    operationId: 'getPreviewUrl',
    method: 'GET',
    path: '/sites/{site}/content/{content}/preview-url',
    who: 'member',
    tag,
    summary: 'Get the URL that opens a preview',
    description:
      '`address` is the id of a preview address; without it, the first one is used. Archived content has no preview.',
    query: urlQuery,
    status: 200,
    answer: urlBody,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, query, headerPrefix }) => {
      const place = { siteId: path.site ?? '', contentId: path.content ?? '', addressId: query.address };
      const { record, address, secret } = await desk.storage.read(findPreview(actor, place, 'query.address'));
      const url = buildPreviewUrl(address, record, secret);
      return { url, origin: new URL(address.address).origin, brand: readBrand(headerPrefix) };
    },
  }),
];
