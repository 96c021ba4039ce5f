// Parses an asset in a bundle. It has a URL, or a file that is part of the bundle. A record that gives the file's SHA-256 can also
// describe the picture, so that an import does not have to decode it.

import { z } from 'zod';
import { ALWAYS, idMember, optionalTextMember, orNull, strictMembers, textMember } from '../content/schema-members.ts';
import { assetMembers, completeAsset } from '../content/site-definition.ts';
import { ASSET_URL_RULE } from '../content/web-address.ts';
import { type Appearance, BUNDLE_PATH_RULE, isBundlePath } from './bundle-files.ts';

const SHA256 = /^[0-9a-f]{64}$/;
/** A ThumbHash is at most 25 bytes long. */
const PLACEHOLDER = /^[A-Za-z0-9+/]{1,36}={0,2}$/;
const COLOUR = /^#[0-9a-f]{6}$/;

const shape = strictMembers('an asset', {
  kind: z.literal('asset'),
  id: idMember,
  site: idMember,
  name: assetMembers.name,
  description: optionalTextMember,
  path: optionalTextMember,
  url: orNull(assetMembers.url),
  extension: orNull(assetMembers.extension),
  size: assetMembers.size.optional(),
  mime_type: orNull(assetMembers.mime_type),
  width: orNull(assetMembers.width),
  height: orNull(assetMembers.height),
  file: orNull(textMember(BUNDLE_PATH_RULE, isBundlePath)),
  sha256: orNull(textMember('64 lowercase hexadecimal digits', (text) => SHA256.test(text))),
  placeholder: orNull(textMember('a ThumbHash in base64', (text) => PLACEHOLDER.test(text))),
  colour: orNull(textMember('a colour like #2f6f73', (text) => COLOUR.test(text))),
  focal_point: orNull(assetMembers.focal_point),
  folder: orNull(assetMembers.folder),
  tags: orNull(assetMembers.tags),
});

export const assetRecord = shape.superRefine(checkSource, ALWAYS).transform(completeRecord);

export type AssetRecord = z.output<typeof assetRecord>;
export type FileAssetRecord = Extract<AssetRecord, { readonly file: object }>;

const OF_THE_FILE = ['path', 'extension', 'size', 'mime_type'] as const;
const OF_THE_PICTURE = ['width', 'height', 'placeholder', 'colour'] as const;
const ONLY_WITH_FILE = ['sha256', 'placeholder', 'colour'] as const;

type GivenMembers = { readonly [Name in keyof z.output<typeof shape>]?: unknown };

/** Runs even if other properties are invalid. */
function checkSource(given: GivenMembers, context: z.RefinementCtx): void {
  const has = (member: keyof GivenMembers): boolean => given[member] !== null && given[member] !== undefined;
  const refuse = (member: keyof GivenMembers, message: string): void => {
    if (has(member)) context.addIssue({ code: 'custom', path: [member], message });
  };
  if (!has('file')) {
    if (!has('url')) context.addIssue({ code: 'custom', path: ['url'], message: `must be ${ASSET_URL_RULE}` });
    for (const member of ONLY_WITH_FILE) refuse(member, 'is allowed only for an asset with a file');
    return;
  }
  refuse('url', 'must be left out, because the asset has a file');
  for (const member of OF_THE_FILE) refuse(member, 'must be left out, because it is derived from the file');
  if (has('sha256')) return;
  for (const member of OF_THE_PICTURE) refuse(member, 'needs the sha256 of the file');
}

/** A file in the bundle. */
export interface RecordedFile {
  /** Relative to the bundle. */
  readonly path: string;
  readonly sha256: string | null;
  readonly appearance: Appearance;
}

function completeRecord({ file, url, sha256, placeholder, colour, focal_point, ...given }: z.output<typeof shape>) {
  const { kind, id, site, name, description, width, height } = given;
  const shelf = { focal_point, folder: given.folder ?? '', tags: given.tags ?? [] };
  if (file !== null) {
    const recorded: RecordedFile = { path: file, sha256, appearance: { width, height, placeholder, colour } };
    return { kind, id, site, name, description, ...shelf, file: recorded };
  }
  if (url === null) throw new Error('An asset with neither a URL nor a file passed the check');
  return { ...completeAsset({ ...given, url }), ...shelf, file: null };
}
