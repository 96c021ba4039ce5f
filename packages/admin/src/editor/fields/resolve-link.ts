// Where links and pictures of a text lead in the panel: to the web, not into the panel or into a script. What is written
// without a host is the site's own.

import { resolveAddress } from '../../assets/resolve-address.ts';

const LINK_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const PICTURE_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:']);
const PICTURE_DATA = /^data:image\//i;

/** Undefined where nobody should be led. */
export function resolveLink(address: string, siteUrl: string | null): string | undefined {
  return resolve(address, siteUrl, LINK_PROTOCOLS);
}

/** Undefined where there is no picture that the panel may load. */
export function resolvePicture(address: string, siteUrl: string | null): string | undefined {
  return PICTURE_DATA.test(address) ? address : resolve(address, siteUrl, PICTURE_PROTOCOLS);
}

function resolve(address: string, siteUrl: string | null, protocols: ReadonlySet<string>): string | undefined {
  const url = URL.parse(resolveAddress(address, siteUrl), siteUrl ?? undefined);
  return url !== null && protocols.has(url.protocol) ? url.href : undefined;
}
