// Converts API keys between the form's values and the API's format.

import type { ApiKeyBody } from '@galley/wire';
import { decodeMoment, encodeMoment } from '../forms/encode-moment.ts';
import { type NumberText, parseNumber } from '../forms/form-values.ts';

export interface KeyValues {
  readonly name: string;
  readonly all_sites: boolean;
  readonly sites: string[];
  readonly preview: boolean;
  /** The expiry in local time, in the date picker's format: `2030-01-31 12:00:00`. */
  readonly expires_at: string | null;
  readonly rate_limit: NumberText;
}

export function readKeyValues(key: ApiKeyBody): KeyValues {
  return {
    name: key.name,
    all_sites: key.all_sites,
    sites: [...key.sites],
    preview: key.preview,
    expires_at: key.expires_at === null ? null : decodeMoment(key.expires_at),
    rate_limit: key.rate_limit ?? '',
  };
}

export function buildKeyBody(values: KeyValues) {
  const { name, all_sites: isForAll, sites, preview, expires_at: expires, rate_limit: limit } = values;
  return {
    name,
    ...(isForAll ? { all_sites: true } : { sites }),
    preview,
    expires_at: expires === null ? null : encodeMoment(expires),
    rate_limit: parseNumber(limit) ?? null,
  };
}

/** Omits an unchanged expiry: an expired key can still be renamed, but the API refuses an expiry in the past. */
export function buildKeyChange(values: KeyValues, known: ApiKeyBody) {
  const { expires_at: expires, ...rest } = buildKeyBody(values);
  return values.expires_at === readKeyValues(known).expires_at ? rest : { ...rest, expires_at: expires };
}
