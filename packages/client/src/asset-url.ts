// Recognises the URLs of uploaded files, which are the only files that the image API can change.

/** The properties of an asset that the image functions use. Every asset in a content object has this type. */
export interface ImageAsset {
  readonly url: string;
  /** If this is missing, every file counts as a picture, unless its name ends in `.svg`. */
  readonly mime_type?: string | undefined;
  /** The original's width in pixels. */
  readonly width?: number | null | undefined;
  /** The original's height in pixels. */
  readonly height?: number | null | undefined;
  /** The point that crops keep in view, as percentages from the left and from the top. */
  readonly focal_point?: { readonly x: number; readonly y: number } | null | undefined;
  /** A ThumbHash; null for assets that are not in Galley's library. */
  readonly placeholder?: string | null | undefined;
}

interface UploadedFile {
  /** The URL without its query. */
  readonly base: string;
  /** The path that the service sees, even if a proxy uses a different one. */
  readonly path: string;
  /** Whether the URL names a version of the file, as all URLs in the API's responses do. */
  readonly hasVersion: boolean;
  /** The query of the URL, without a signature. */
  readonly query: URLSearchParams;
}

const UPLOADED =
  /^((?:https?:\/)?\/[^?#]*?)?(\/assets\/[\w-]{1,64}\/[\w-]{1,64}\/([\da-f]{12,64}\/)?[^/?#]+)(?:\?([^#]*))?$/;
const RASTER = /^image\/(jpeg|png|webp|avif|gif|tiff|heic|heif)$/;

/** Undefined unless the URL belongs to an uploaded file. */
export function parseAssetUrl(url: string): UploadedFile | undefined {
  const [, start = '', path, version, search] = UPLOADED.exec(url) ?? [];
  if (path === undefined) return undefined;
  const query = new URLSearchParams(search);
  // Any change would make the signature invalid.
  query.delete('s');
  return { base: start + path, path, hasVersion: version !== undefined, query };
}

/** Undefined if the image API cannot change the asset: it was not uploaded, is not a picture, or is an SVG. */
export function parsePictureUrl({ url, mime_type, placeholder }: ImageAsset): UploadedFile | undefined {
  const file = parseAssetUrl(url);
  if (file === undefined) return undefined;
  // Other websites may also have folders called "assets". The API says which assets are not in the library.
  const isUploaded = file.hasVersion || placeholder !== null;
  const isPicture = mime_type === undefined ? !/\.svg$/i.test(file.path) : RASTER.test(mime_type);
  return isUploaded && isPicture ? file : undefined;
}

export function formatAssetUrl({ base, query }: UploadedFile): string {
  const text = query.toString();
  return text === '' ? base : `${base}?${text}`;
}
