// Signatures for sites that allow only signed pictures. The server computes the same signatures in
// images/image-signature.ts.

import { formatAssetUrl, parseAssetUrl } from './asset-url.ts';
import { checkClaim, isImageParameter } from './image-options.ts';

/**
 * Adds the signature to a URL from `imageUrl`, for sites that allow only presets and signed URLs. Other URLs are returned unchanged.
 *
 * Anyone who has the key can sign any URL. So use this function on a server or in a build, never in a page.
 *
 * @param key the site's image key, from its settings
 * @example
 * const src = await signImageUrl(imageUrl(asset, { w: 800 }), imageKey);
 */
export async function signImageUrl(url: string, key: string): Promise<string> {
  checkClaim(typeof url === 'string', 'The url must be a string.');
  checkClaim(
    typeof key === 'string' && key !== '',
    "The key must be the site's image key. Is its environment variable set?",
  );
  const file = parseAssetUrl(url);
  if (file === undefined) return url;
  const { query } = file;
  // Browsers percent-encode non-ASCII names, and the server compares the path that was sent.
  const { pathname } = new URL(file.path, 'http://galley.invalid');
  const signed: string[] = [];
  query.forEach((value, name) => {
    if (isImageParameter(name)) signed.push(`${name}=${encodeURIComponent(value)}`);
  });
  query.set('s', await computeHmac(`${pathname}?${signed.sort().join('&')}`, key));
  return formatAssetUrl(file);
}

/**
 * Signs every URL in a value from `imageSrcSet`.
 * @example
 * const srcSet = await signImageSrcSet(imageSrcSet(asset, [400, 800]), imageKey);
 */
export async function signImageSrcSet(srcSet: string, key: string): Promise<string> {
  checkClaim(typeof srcSet === 'string', 'The srcSet must be a string.');
  const candidates = srcSet.split(', ').map(async (candidate) => {
    const [url = '', ...width] = candidate.split(' ');
    return [await signImageUrl(url, key), ...width].join(' ');
  });
  return (await Promise.all(candidates)).join(', ');
}

async function computeHmac(text: string, key: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign']);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
