// A site's asset settings, the presets for its image URLs, and the key that signs these URLs.

import type { AssetSettingsBody, ImageKeyBody, ImagePresetBody, ImagePresetListBody } from '@galley/wire';
import { z } from 'zod';
import type { Actor } from '../../authoring/actor.ts';
import { refuseFaults } from '../../authoring/authoring-refusal.ts';
import type { Desk } from '../../authoring/desk.ts';
import { putImagePreset, removeImagePreset, updateAssetSettings } from '../../authoring/sites/asset-settings.ts';
import { selectOwnSite } from '../../authoring/sites/find-site.ts';
import { oneOfMember, strictMembers, switchMember, textMember } from '../../content/schema-members.ts';
import {
  type AssetSettings,
  type ImagePresetRow,
  selectAssetSettings,
  selectImagePresets,
} from '../../storage/sites/asset-settings.ts';
import type { Procedure } from '../../storage/statement.ts';
import { defineRoute, type Route } from '../route.ts';

const IMAGE_ACCESS = ['open', 'signed'] as const;

const settingsBody: z.ZodType<AssetSettingsBody> = z
  .strictObject({
    keeps_location: z.boolean().describe('Whether uploaded pictures keep their location data.'),
    upload_types: z
      .array(z.string())
      .nullable()
      .describe('The media types that can be uploaded, or prefixes like `image/`; null for all.'),
    most_upload_mb: z.int().nullable().describe('The size limit for an upload; null for the service’s limit.'),
    most_megapixels: z
      .int()
      .nullable()
      .describe('The maximum number of pixels in a picture (width times height); null for the service’s limit.'),
    image_access: z
      .enum(IMAGE_ACCESS)
      .describe('`open`: anybody can request images of any size. `signed`: only with presets or a signature.'),
    requires_description: z
      .boolean()
      .describe('Whether all images in content must have descriptions before it can be published.'),
  })
  .meta({ id: 'AssetSettings' });

function renderSettings(settings: AssetSettings): AssetSettingsBody {
  return {
    keeps_location: settings.keepsLocation,
    upload_types: settings.uploadTypes,
    most_upload_mb: settings.mostUploadMb,
    most_megapixels: settings.mostMegapixels,
    image_access: settings.imageAccess,
    requires_description: settings.requiresDescription,
  };
}

const MOST_UPLOAD_TYPES = 50;
const MOST_MB = 1_000_000;
const MOST_MEGAPIXELS = 1000;
const UPLOAD_TYPE = /^[a-z0-9][a-z0-9.+_-]{0,126}\/[a-z0-9.+_-]{0,127}$/;
const TYPES_RULE = `must be null or an array of 1 to ${MOST_UPLOAD_TYPES} media types`;

function limitMember(most: number) {
  const error = `must be null or a whole number from 1 to ${most}`;
  return z.int({ error }).min(1, { error }).max(most, { error }).nullable().optional();
}

const settingsChangeBody = strictMembers('a change to the asset settings', {
  keeps_location: switchMember.optional(),
  upload_types: z
    .array(
      textMember('a media type in lower case, or the beginning of one, like image/', (text) => UPLOAD_TYPE.test(text)),
      { error: TYPES_RULE },
    )
    .min(1, { error: TYPES_RULE })
    .max(MOST_UPLOAD_TYPES, { error: TYPES_RULE })
    .transform((types) => [...new Set(types)])
    .nullable()
    .optional(),
  most_upload_mb: limitMember(MOST_MB),
  most_megapixels: limitMember(MOST_MEGAPIXELS),
  image_access: oneOfMember(IMAGE_ACCESS).optional(),
  requires_description: switchMember.optional(),
});

const presetBody: z.ZodType<ImagePresetBody> = z
  .strictObject({
    name: z.string(),
    parameters: z.string().describe('The query of an image URL, like `w=300&h=200&fit=crop`.'),
  })
  .meta({ id: 'ImagePreset' });

const presetListBody: z.ZodType<ImagePresetListBody> = z
  .strictObject({ data: z.array(presetBody) })
  .meta({ id: 'ImagePresetList' });

const MOST_PARAMETERS = 1024;
const PRESET_NAME = /^[a-z0-9-]{1,64}$/;
const NAME_RULE = 'must consist of 1 to 64 characters from a-z, 0-9 and -';

const newPresetBody = strictMembers('an image preset', {
  parameters: textMember(
    `an image URL query of 1 to ${MOST_PARAMETERS} characters, like w=300&fit=crop`,
    (text) => text.length <= MOST_PARAMETERS && text.trim() !== '' && !text.startsWith('?'),
  ),
});

const keyBody: z.ZodType<ImageKeyBody> = z
  .strictObject({ key: z.string().describe('In base64url.') })
  .meta({ id: 'ImageKey' });

const tag = 'Assets';

function readSettings(desk: Desk, actor: Actor, siteId: string): Promise<AssetSettings> {
  return desk.storage.read(selectOwnSettings(actor, siteId));
}

function* selectOwnSettings(actor: Actor, siteId: string): Procedure<AssetSettings> {
  const site = yield* selectOwnSite(actor, siteId);
  return yield* selectAssetSettings(site.no);
}

function* selectOwnPresets(actor: Actor, siteId: string): Procedure<readonly ImagePresetRow[]> {
  const site = yield* selectOwnSite(actor, siteId);
  return yield* selectImagePresets(site.no);
}

const answersSettings = { answer: settingsBody, render: renderSettings };

export const ASSET_SETTINGS_ROUTES: readonly Route[] = [
  defineRoute({
    operationId: 'getAssetSettings',
    method: 'GET',
    path: '/sites/{site}/asset-settings',
    who: 'member',
    tag,
    summary: 'Read a site’s asset settings',
    status: 200,
    ...answersSettings,
    state: (settings) => settings,
    refusals: [404],
    run: ({ desk, actor, path }) => readSettings(desk, actor, path.site ?? ''),
  }),
  defineRoute({
    operationId: 'updateAssetSettings',
    method: 'PATCH',
    path: '/sites/{site}/asset-settings',
    who: 'owner',
    tag,
    summary: 'Change a site’s asset settings',
    description:
      'Omitted properties stay as they are. New limits apply to later uploads; the service’s limits apply too. ' +
      'If `requires_description` is true, content that is already published stays published.',
    body: settingsChangeBody,
    status: 200,
    ...answersSettings,
    refusals: [404, 422],
    run: async ({ desk, actor, path, body }) => {
      const siteId = path.site ?? '';
      await updateAssetSettings(desk, actor, siteId, {
        keepsLocation: body.keeps_location,
        uploadTypes: body.upload_types,
        mostUploadMb: body.most_upload_mb,
        mostMegapixels: body.most_megapixels,
        imageAccess: body.image_access,
        requiresDescription: body.requires_description,
      });
      return readSettings(desk, actor, siteId);
    },
  }),
  defineRoute({
    operationId: 'listImagePresets',
    method: 'GET',
    path: '/sites/{site}/image-presets',
    who: 'member',
    tag,
    summary: 'List a site’s image presets',
    status: 200,
    answer: presetListBody,
    refusals: [404],
    run: async ({ desk, actor, path }) => ({
      data: (await desk.storage.read(selectOwnPresets(actor, path.site ?? ''))).map(({ name, parameters }) => ({
        name,
        parameters,
      })),
    }),
  }),
  defineRoute({
    operationId: 'saveImagePreset',
    method: 'PUT',
    path: '/sites/{site}/image-presets/{name}',
    who: 'owner',
    tag,
    summary: 'Create or change an image preset',
    description:
      'An image URL with `p=NAME` uses the preset’s parameters. The name consists of 1 to 64 characters from a-z, 0-9 and -.',
    body: newPresetBody,
    status: 200,
    answer: presetBody,
    refusals: [404, 409, 422],
    run: async ({ desk, actor, path, body }) => {
      const preset = { name: path.name ?? '', parameters: body.parameters };
      if (!PRESET_NAME.test(preset.name)) throw refuseFaults([{ path: 'name', message: NAME_RULE }]);
      await putImagePreset(desk, actor, path.site ?? '', preset);
      return preset;
    },
  }),
  defineRoute({
    operationId: 'deleteImagePreset',
    method: 'DELETE',
    path: '/sites/{site}/image-presets/{name}',
    who: 'owner',
    tag,
    summary: 'Delete an image preset',
    description: 'Requests that use the preset are rejected from then on.',
    status: 204,
    answer: null,
    refusals: [404],
    run: ({ desk, actor, path }) => removeImagePreset(desk, actor, path.site ?? '', path.name ?? ''),
  }),
  defineRoute({
    operationId: 'getImageKey',
    method: 'GET',
    path: '/sites/{site}/image-key',
    who: 'owner',
    tag,
    summary: 'Read the key that signs a site’s image URLs',
    description: 'The key never changes. Keep it on your server: anybody who has it can request any image.',
    status: 200,
    answer: keyBody,
    refusals: [404],
    run: async ({ desk, actor, path }) => {
      const { id } = await desk.storage.read(selectOwnSite(actor, path.site ?? ''));
      return { key: desk.storage.imageKey(id) };
    },
  }),
];
