// Signatures for image URLs, for sites that allow only signed transformations. A signature covers the path and all known parameters, in
// any order. So only unknown parameters, such as cache-busters, can be added to a signed URL.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { IMAGE_PARAMETERS } from './image-parameters.ts';

type Pairs = Iterable<readonly [name: string, value: string]>;

/** The value of the `s` parameter. @param path the URL's path, as it is sent */
export function signImageUrl(key: string, path: string, pairs: Pairs): string {
  return createHmac('sha256', key)
    .update(`${path}?${buildSignedQuery(pairs)}`)
    .digest('base64url');
}

/** The known parameters except the signature, sorted by name. */
function buildSignedQuery(pairs: Pairs): string {
  return Array.from(pairs)
    .filter(([name]) => name !== 's' && IMAGE_PARAMETERS.has(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .toSorted()
    .join('&');
}

/** Whether the query contains exactly one signature, and it is correct. The comparison takes constant time. */
export function isSignedImageUrl(key: string, path: string, pairs: Pairs): boolean {
  const list = Array.from(pairs);
  const [given, ...others] = list.filter(([name]) => name === 's').map(([, value]) => Buffer.from(value));
  const expected = Buffer.from(signImageUrl(key, path, list));
  return others.length === 0 && given?.length === expected.length && timingSafeEqual(given, expected);
}
