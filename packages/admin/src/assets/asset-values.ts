// The values in the asset form, and those sent to the API. A different URL means a different file, so everything known about the
// old file is dropped unless its URL is entered again.

import type { ManagedAssetBody } from '@galley/wire';
import { type NumberText, parseNumber, pickChanged } from '../forms/form-values.ts';

export interface AssetValues {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly mime_type: string;
  readonly width: NumberText;
  readonly height: NumberText;
  readonly size: NumberText;
}

/** The values that describe the file at the URL. */
export const ASSET_FACTS = ['mime_type', 'width', 'height', 'size'] as const;

type AssetFact = (typeof ASSET_FACTS)[number];

export const NEW_ASSET: AssetValues = {
  id: '',
  name: '',
  description: '',
  url: '',
  mime_type: '',
  width: '',
  height: '',
  size: '',
};

export function buildValues(asset: ManagedAssetBody): AssetValues {
  const { name, description, url, mime_type, width, height, size } = asset;
  return {
    id: '',
    name,
    description: description ?? '',
    url,
    mime_type,
    width: width ?? '',
    height: height ?? '',
    size: size === 0 ? '' : size,
  };
}

/** The known details of the file at a URL. They are known only for the URL that the form started with. */
export function findFacts(url: string, initial: AssetValues): Pick<AssetValues, AssetFact> {
  const { mime_type, width, height, size } = url === initial.url ? initial : NEW_ASSET;
  return { mime_type, width, height, size };
}

export function buildNewBody(values: AssetValues) {
  return { id: textOrNone(values.id), ...buildMembers(values) };
}

/** Returns only the values that were changed in the form. */
export function buildChange(values: AssetValues, initial: AssetValues) {
  const changed = pickChanged(buildMembers(values), buildMembers(initial));
  return changed.url === undefined ? changed : { ...changed, ...buildFacts(values) };
}

function buildMembers(values: AssetValues) {
  const { name, url, description } = values;
  return { name, url, description: textOrNone(description), ...buildFacts(values) };
}

function buildFacts({ mime_type, width, height, size }: AssetValues) {
  return {
    mime_type: textOrNone(mime_type),
    width: numberOrNone(width),
    height: numberOrNone(height),
    size: numberOrNone(size),
  };
}

function textOrNone(text: string): string | null {
  return text === '' ? null : text;
}

function numberOrNone(value: NumberText): number | null {
  return parseNumber(value) ?? null;
}
