// The URL of a file: `/assets/<site>/<asset>/<version>/<name>`, or without the version. No part of it ever becomes part of a path on disk.

import { fail, ok, type Result } from '../content/result.ts';
import { PROBLEMS, type Problem } from '../http/problems.ts';
import type { ServedAsset } from '../storage/asset-reads.ts';

export const ASSETS_PATH = '/assets/';

export interface AssetTarget {
  readonly siteId: string;
  readonly assetId: string;
  /** Null for the URL without a version. */
  readonly version: string | null;
  readonly fileName: string;
  /** The path as it was sent, which is what a signature covers. */
  readonly path: string;
  readonly query: string;
}

/** @param url starts with ASSETS_PATH */
export function parseAssetTarget(url: string): Result<AssetTarget, Problem> {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const segments = decodeSegments(path.slice(ASSETS_PATH.length));
  if (segments === undefined) return fail(PROBLEMS.badRequest);
  const [siteId, assetId, third, fourth] = segments;
  const isComplete = (segments.length === 3 || segments.length === 4) && !segments.includes('');
  if (!isComplete || siteId === undefined || assetId === undefined || third === undefined) {
    return fail(PROBLEMS.notFound);
  }
  const [version, fileName] = fourth === undefined ? [null, third] : [third, fourth];
  return ok({ siteId, assetId, version, fileName, path, query: mark === -1 ? '' : url.slice(mark + 1) });
}

/** Undefined unless the path is valid UTF-8. */
function decodeSegments(path: string): readonly string[] | undefined {
  const segments = path.split('/');
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/**
 * Whether the URL gives access to the asset. A version cannot be guessed, so a correct version is enough, even with the name of an earlier
 * file. Without a version, the asset must be public, and the name must match.
 */
export function isReachable({ version, fileName }: AssetTarget, asset: ServedAsset): boolean {
  if (version !== null) return version === asset.version || asset.versions.includes(version);
  return asset.isShown && fileName.normalize('NFC') === asset.fileName.normalize('NFC');
}
