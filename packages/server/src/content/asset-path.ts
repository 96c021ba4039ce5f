// The URL path at which readers find an uploaded file, without the leading slash.

export interface AssetPlace {
  readonly siteId: string;
  readonly assetId: string;
  /** The beginning of the file's digest, so replacing the file changes the URL. */
  readonly version: string;
  readonly fileName: string;
}

const VERSION_LENGTH = 16;
const VERSION = new RegExp(`^[0-9a-f]{${VERSION_LENGTH}}$`);

export function buildAssetPath({ siteId, assetId, version, fileName }: AssetPlace): string {
  return `assets/${siteId}/${assetId}/${version}/${encodeURIComponent(fileName)}`;
}

export function buildFileVersion(sha256: string): string {
  return sha256.slice(0, VERSION_LENGTH);
}

export function isFileVersion(text: string): boolean {
  return VERSION.test(text);
}
