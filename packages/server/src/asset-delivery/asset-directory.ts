// What the delivery of files needs to know about an asset. The database is behind this interface.

/** An uploaded file. Frozen, with everything in it. */
export interface ServedAsset {
  readonly siteId: string;
  readonly assetId: string;
  /** The SHA-256 of the current file. */
  readonly sha256: string;
  /** The version of the current file, as its URL names it. */
  readonly version: string;
  /** The versions of all files that the asset has had. */
  readonly versions: readonly string[];
  /** A name from `buildFileName`. */
  readonly fileName: string;
  /** The media type that was found in the bytes. */
  readonly type: string;
  readonly bytes: number;
  /** In percent. */
  readonly focalPoint: { readonly x: number; readonly y: number } | null;
  /** Whether published content shows the asset. */
  readonly isShown: boolean;
  /** `signed` if images are transformed only by presets and signed URLs. */
  readonly imageAccess: 'open' | 'signed';
  /** The site's image parameters by the name of their preset. */
  readonly presets: ReadonlyMap<string, string>;
  /** The key of the site's signatures. */
  readonly signatureKey: string;
}

export interface AssetDirectory {
  /**
   * Undefined if the site has no such asset, or the asset is only a web address. While nothing about an asset has changed, it should be
   * the same object, and no promise: then repeated requests are answered without planning again.
   */
  find(siteId: string, assetId: string): ServedAsset | undefined | Promise<ServedAsset | undefined>;
}
