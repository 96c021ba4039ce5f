// The properties of a site, its authors and its assets, as used in bundles and in the management API.

import { z } from 'zod';
import { findDataMediaType, findExtension, findExtensionOf, findMediaType } from './media-type.ts';
import { countMember, nameMember, strictMembers, textMember } from './schema-members.ts';
import { buildTextKey } from './text-key.ts';
import {
  composeText,
  hasAtMostCharacters,
  hasUnfitCharacters,
  isLanguage,
  isPlainText,
  isRealLanguage,
  LANGUAGE_RULE,
  REAL_LANGUAGE_RULE,
} from './text-rules.ts';
import { ASSET_URL_RULE, isAssetUrl, parseSiteUrl, SITE_URL_RULE } from './web-address.ts';

export const languageMember = textMember(LANGUAGE_RULE, isLanguage);

/** For new sites. Bundles may contain older sites with different tags. */
export const realLanguageMember = textMember(REAL_LANGUAGE_RULE, isRealLanguage);

const LANGUAGES_RULE = { error: 'must be an array of language tags' } as const;

export const languagesMember = z.array(languageMember, LANGUAGES_RULE);
export const realLanguagesMember = z.array(realLanguageMember, LANGUAGES_RULE);

/** Without a trailing slash. */
export const siteUrlMember = textMember(
  SITE_URL_RULE,
  (text) => parseSiteUrl(text) !== undefined,
  'url_invalid',
).transform((text) => parseSiteUrl(text) ?? text);

interface GivenLanguages {
  readonly default_language: string;
  readonly languages: readonly string[] | undefined;
}

/** Runs even if other properties are invalid. An invalid default language is ignored. */
export function checkLanguages(
  { default_language: defaultLanguage, languages }: { readonly [Name in keyof GivenLanguages]?: unknown },
  context: z.RefinementCtx,
): void {
  if (!Array.isArray(languages)) return;
  if (new Set(languages).size < languages.length) {
    context.addIssue({ code: 'custom', path: ['languages'], message: 'must not list a language twice' });
  }
  if (typeof defaultLanguage !== 'string' || !isLanguage(defaultLanguage)) return;
  if (!languages.includes(defaultLanguage)) {
    const message = `must contain the default_language ${defaultLanguage}`;
    context.addIssue({ code: 'custom', path: ['languages'], message });
  }
}

/** A site without a list of languages has only its default language. */
export function completeLanguages<Given extends GivenLanguages>(given: Given) {
  return { ...given, languages: given.languages ?? [given.default_language] };
}

const EMAIL_PATTERN = /^[^\s@]{1,255}@[^\s@]{1,255}$/;

export const authorMembers = {
  name: nameMember,
  email: textMember('an email address like ada@example.com', (text) => EMAIL_PATTERN.test(text), 'email_invalid'),
  profile_photo_url: textMember(ASSET_URL_RULE, isAssetUrl, 'url_invalid'),
} as const;

const EXTENSION_PATTERN = /^[A-Za-z0-9]{0,16}$/;
const MEDIA_TYPE_PATTERN = /^[a-z0-9][a-z0-9.+_-]{0,126}\/[a-z0-9][a-z0-9.+_-]{0,126}$/i;

const PERCENT_RULE = 'must be a number from 0 to 100';
const percentMember = z
  .number({ error: PERCENT_RULE })
  .min(0, { error: PERCENT_RULE })
  .max(100, { error: PERCENT_RULE });
const focalPointMember = strictMembers('a focal point', { x: percentMember, y: percentMember });

const MOST_FOLDER_CHARACTERS = 255;
const MOST_FOLDER_LEVELS = 8;
export const FOLDER_RULE = `up to ${MOST_FOLDER_LEVELS} folder names separated by “/”, of at most ${MOST_FOLDER_CHARACTERS} characters in total, without control characters`;

/** An empty string means the top level. */
export function isFolderPath(text: string): boolean {
  if (text === '') return true;
  const names = text.split('/');
  const isName = (name: string): boolean => name !== '' && name === name.trim() && name !== '.' && name !== '..';
  return (
    isPlainText(text) &&
    !hasUnfitCharacters(text) &&
    hasAtMostCharacters(composeText(text), MOST_FOLDER_CHARACTERS) &&
    names.length <= MOST_FOLDER_LEVELS &&
    names.every(isName) &&
    !text.includes('*')
  );
}

export const folderMember = textMember(FOLDER_RULE, isFolderPath).transform(composeText);

export const MOST_TAGS = 50;
const MOST_TAG_CHARACTERS = 64;
const TAG_RULE = `text of 1 to ${MOST_TAG_CHARACTERS} characters on one line, without control characters, and without blanks at the ends`;

function isTag(text: string): boolean {
  return (
    isPlainText(text) &&
    hasAtMostCharacters(composeText(text), MOST_TAG_CHARACTERS) &&
    text === text.trim() &&
    !hasUnfitCharacters(text) &&
    buildTextKey(text) !== ''
  );
}

export const tagMember = textMember(TAG_RULE, isTag).transform(composeText);

/** Tags that differ only in case or accents are the same tag; the first spelling is used. The result is sorted. */
const tagsMember = z
  .array(tagMember, { error: 'must be an array of tags' })
  .max(MOST_TAGS, { error: `must have at most ${MOST_TAGS} tags` })
  .transform(uniteTags);

export function uniteTags(tags: readonly string[]): readonly string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) {
    const key = buildTextKey(tag);
    if (!byKey.has(key)) byKey.set(key, tag);
  }
  return [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, tag]) => tag);
}

/** All properties except the description and the path, which are plain text. */
export const assetMembers = {
  name: nameMember,
  url: textMember(ASSET_URL_RULE, isAssetUrl, 'url_invalid'),
  extension: textMember('at most 16 letters and digits without a dot', (text) => EXTENSION_PATTERN.test(text)),
  size: countMember,
  mime_type: textMember('a media type like image/jpeg', (text) => MEDIA_TYPE_PATTERN.test(text)).transform((text) =>
    text.toLowerCase(),
  ),
  width: countMember,
  height: countMember,
  focal_point: focalPointMember,
  folder: folderMember,
  tags: tagsMember,
} as const;

interface AssetGaps {
  readonly id: string;
  readonly url: string;
  readonly path: string | null;
  readonly extension: string | null;
  readonly size?: number | null | undefined;
  readonly mime_type: string | null;
}

/**
 * Fills in missing properties: the extension from the path or the media type, the media type from a `data:` URL or the extension, and the
 * path from the URL, or from the id for a `data:` URL.
 */
export function completeAsset<Asset extends AssetGaps>(asset: Asset) {
  const dataType = findDataMediaType(asset.url);
  const urlPath = dataType === undefined ? findUrlPath(asset.url) : '';
  const declared = asset.mime_type ?? dataType;
  const extension =
    asset.extension ??
    (findExtension(asset.path ?? urlPath) || (declared === undefined ? '' : findExtensionOf(declared)));
  const ownPath = `assets/${asset.id}${extension === '' ? '' : `.${extension}`}`;
  return {
    ...asset,
    path: asset.path ?? (urlPath === '' ? ownPath : urlPath),
    extension,
    size: asset.size ?? 0,
    mime_type: declared ?? findMediaType(extension),
  };
}

/** The path of an http URL, or a path that starts with `/`, without the leading slash. */
function findUrlPath(url: string): string {
  return new URL(url, 'http://localhost').pathname.slice(1);
}
