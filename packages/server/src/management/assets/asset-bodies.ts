import type { ManagedAssetBody } from '@galley/wire';
import { z } from 'zod';
import { assetMembers } from '../../content/asset-definition.ts';
import { hasAtMostCharacters, isPlainText } from '../../content/plain-text.ts';
import { idMember, orNull, strictMembers, textMember } from '../../content/schema-members.ts';
import type { AssetRow } from '../../storage/port.ts';

const MOST_DESCRIPTION = 5000;
const MOST_PATH = 1024;
const KIND_PATTERN = /^[a-z0-9][a-z0-9.+_-]{0,126}\/[a-z0-9.+_-]{0,127}$/i;

export const assetBody: z.ZodType<ManagedAssetBody> = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    path: z.string(),
    url: z.string(),
    extension: z.string(),
    size: z.int(),
    mime_type: z.string(),
    is_image: z.boolean(),
    width: z.int().nullable(),
    height: z.int().nullable(),
  })
  .meta({ id: 'ManagedAsset' });

export function renderAsset(asset: AssetRow): ManagedAssetBody {
  return {
    id: asset.id,
    name: asset.name,
    description: asset.description,
    path: asset.path,
    url: asset.url,
    extension: asset.extension,
    size: asset.size,
    mime_type: asset.mime_type,
    is_image: asset.mime_type.startsWith('image/'),
    width: asset.width,
    height: asset.height,
  };
}

/** Empty text is none. */
function boundedText(most: number) {
  return textMember(
    `text of at most ${most} characters`,
    (text) => isPlainText(text) && hasAtMostCharacters(text, most),
  ).transform((text) => (text === '' ? null : text));
}

const description = boundedText(MOST_DESCRIPTION);
const path = boundedText(MOST_PATH);

export const newAssetBody = strictMembers('an asset', {
  id: orNull(idMember),
  name: assetMembers.name,
  description: orNull(description),
  path: orNull(path),
  url: assetMembers.url,
  extension: orNull(assetMembers.extension),
  size: orNull(assetMembers.size),
  mime_type: orNull(assetMembers.mime_type),
  width: orNull(assetMembers.width),
  height: orNull(assetMembers.height),
});

export const assetChangeBody = strictMembers('a change of an asset', {
  name: assetMembers.name.optional(),
  description: description.nullable().optional(),
  path: path.nullable().optional(),
  url: assetMembers.url.optional(),
  extension: assetMembers.extension.nullable().optional(),
  size: assetMembers.size.nullable().optional(),
  mime_type: assetMembers.mime_type.nullable().optional(),
  width: assetMembers.width.nullable().optional(),
  height: assetMembers.height.nullable().optional(),
});

/** The beginning of a media type. */
export const kindParameter = textMember('a media type or the beginning of one, like image/', (text) =>
  KIND_PATTERN.test(text),
)
  .transform((text) => text.toLowerCase())
  .optional();
