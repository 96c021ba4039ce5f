import { type ImageAsset, parsePictureUrl } from './asset-url.ts';
import { checkClaim, checkOptions, encodeImageOptions, type ImageOptions } from './image-options.ts';
import { checkAsset, imageUrl } from './image-url.ts';

/** The options for `imageSrcSet`: those for `imageUrl`, without the sizes. */
export interface ImageSrcSetOptions extends Omit<ImageOptions, 'w' | 'h' | 'dpr'> {
  /**
   * The aspect ratio as width / height, such as `16 / 9`. The picture is cropped to this ratio, unless `fit` says
   * otherwise.
   */
  readonly ratio?: number | undefined;
  /** Whether to keep widths that are larger than the original. `false` by default: a larger file would not show more detail. */
  readonly enlarge?: boolean | undefined;
}

/**
 * The value of a `srcset` attribute: one URL for each width, for use with `sizes`.
 *
 * Widths larger than the original are replaced by the largest width that the original allows. If the image API cannot change an asset,
 * the asset's own URL is the only candidate. The result is never empty.
 *
 * @param widths in pixels, such as `[400, 800, 1600]`
 * @example
 * const srcSet = imageSrcSet(asset, [400, 800, 1600], { ratio: 16 / 9, fm: 'auto' });
 */
export function imageSrcSet(asset: ImageAsset, widths: readonly number[], options: ImageSrcSetOptions = {}): string {
  checkOptions(options);
  const { ratio, enlarge = false, ...rest } = options;
  checkClaim(Array.isArray(widths) && widths.length > 0, 'The widths must be an array with at least one number.');
  for (const name of ['w', 'h', 'dpr']) {
    const isAbsent = Reflect.get(rest, name) === undefined;
    checkClaim(isAbsent, `imageSrcSet does not accept ${name}: the widths set the size, and ratio sets the shape.`);
  }
  const parameters = ratio === undefined ? rest : { ...rest, fit: rest.fit ?? 'crop' };
  const { fit = 'contain' } = parameters;
  checkRatio(ratio, fit);
  const resize = (w: number): ImageOptions => ({ ...parameters, w, h: ratio && Math.max(1, Math.round(w / ratio)) });
  for (const width of widths) encodeImageOptions(resize(width));
  checkAsset(asset);
  if (parsePictureUrl(asset) === undefined) return formatCandidate(asset.url, asset.width);

  const mayEnlarge = fit === 'fill-max' || (enlarge && fit !== 'max' && fit !== 'fill');
  const most = mayEnlarge ? Number.POSITIVE_INFINITY : findLargestWidth(asset, parameters, ratio);
  const kept = new Set(widths.map((width) => Math.min(width, most)));
  return Array.from(kept)
    .sort((one, other) => one - other)
    .map((width) => formatCandidate(imageUrl(asset, resize(width)), width))
    .join(', ');
}

function checkRatio(ratio: unknown, fit: string): void {
  if (ratio === undefined) return;
  const isRight = typeof ratio === 'number' && ratio > 0 && ratio < Number.POSITIVE_INFINITY;
  checkClaim(isRight, 'ratio must be a positive number, such as 16 / 9.');
  // Otherwise the width of the result would depend on the picture's aspect ratio, and the attribute would contain the
  // wrong width.
  const isExact = fit !== 'contain' && fit !== 'max';
  checkClaim(isExact, 'ratio requires a fit that produces the exact shape: crop, fill, fill-max or stretch.');
}

/** The width at which each visible pixel of the original becomes one pixel. */
function findLargestWidth(
  asset: ImageAsset,
  { crop, or, fit = 'contain' }: ImageOptions,
  ratio: number | undefined,
): number {
  const sides = crop === undefined ? [asset.width, asset.height] : crop.split(',').map(Number);
  const [width, height] = or === 90 || or === 270 ? [sides[1], sides[0]] : sides;
  if (!width) return Number.POSITIVE_INFINITY;
  const isCut = ratio !== undefined && height && /^(crop|cover)/.test(fit);
  const shown = isCut ? Math.min(width, height * ratio) : width;
  const zoom = Number(/^crop-[\d.]+-[\d.]+-([\d.]+)$/.exec(fit)?.[1] ?? 1);
  return Math.max(1, Math.floor(shown / zoom));
}

/** Browsers split the attribute at white space, and at commas at either end of a URL. */
function formatCandidate(url: string, width: number | null | undefined): string {
  const safe = url.replaceAll(/\s|^,+|,+$/g, encodeURIComponent);
  return width ? `${safe} ${width}w` : safe;
}
