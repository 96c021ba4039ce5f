// The form of an asset as texts, and what is sent of it. Another address is another file: what was known of the old file
// goes with it, unless it is given anew.

import type { ManagedAssetBody } from '@galley/wire';
import { type NumberText, parseNumber } from '../forms/parse-number.ts';

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

export function buildNewBody({ id, name, url, ...rest }: AssetValues) {
  return { ...buildFacts(rest), id: textOrNone(id), name, url };
}

/** What differs from the asset as it is. */
export function buildChange({ id: _, name, url, ...rest }: AssetValues, asset: ManagedAssetBody) {
  const old = buildValues(asset);
  const facts = buildFacts(rest);
  if (url !== old.url) return { name, url, ...facts };
  return {
    ...(name === old.name ? {} : { name }),
    ...(rest.description === old.description ? {} : { description: facts.description }),
    ...(rest.mime_type === old.mime_type ? {} : { mime_type: facts.mime_type }),
    ...(rest.width === old.width ? {} : { width: facts.width }),
    ...(rest.height === old.height ? {} : { height: facts.height }),
    ...(rest.size === old.size ? {} : { size: facts.size }),
  };
}

function buildFacts({ description, mime_type, width, height, size }: Omit<AssetValues, 'id' | 'name' | 'url'>) {
  return {
    description: textOrNone(description),
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
