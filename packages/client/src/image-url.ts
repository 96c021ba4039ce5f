import { formatAssetUrl, type ImageAsset, parsePictureUrl } from './asset-url.ts';
import { checkClaim, encodeImageOptions, type ImageOptions } from './image-options.ts';

/**
 * The URL of a picture in another size, shape or format. A crop without a position keeps the asset's focal point in view.
 *
 * Assets that the image API cannot change keep their URL: SVG images, files that are not pictures, and external web addresses. So
 * whatever asset an editor chooses, it cannot break a page. Invalid options throw a `TypeError`. The same options always give the
 * same URL.
 *
 * @example
 * const url = imageUrl(asset, { w: 800, h: 450, fit: 'crop', fm: 'auto' });
 */
export function imageUrl(asset: ImageAsset, options: ImageOptions = {}): string {
  const pairs = encodeImageOptions(options);
  checkAsset(asset);
  const file = parsePictureUrl(asset);
  if (file === undefined) return asset.url;
  for (const [name, value] of pairs) file.query.set(name, value);
  applyFocalPoint(file.query, asset);
  file.query.sort();
  return formatAssetUrl(file);
}

export function checkAsset(asset: unknown): asserts asset is ImageAsset {
  const isAsset = Object(asset) === asset && typeof Reflect.get(Object(asset), 'url') === 'string';
  checkClaim(isAsset, 'The asset must be an object with a url.');
}

/**
 * The server would apply the focal point on its own. But caches may keep the picture at a URL forever, so a new focal point needs a new
 * URL. With a rectangle, a rotation or a preset, the position would refer to the changed picture, so only the server can apply the point.
 */
function applyFocalPoint(query: URLSearchParams, { focal_point: point }: ImageAsset): void {
  if (!point || !/^(crop|cover)$/.test(query.get('fit') ?? '')) return;
  if (['crop', 'or', 'p'].some((name) => query.has(name))) return;
  query.set('fit', `crop-${roundPercent(point.x)}-${roundPercent(point.y)}`);
}

function roundPercent(percent: number): number {
  return Math.round(percent * 100) / 100;
}
