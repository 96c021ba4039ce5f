// Completes the URLs of links and pictures when somebody types them, and resolves them when the panel shows them.

import { resolveAddress } from '../../assets/asset-address.ts';

const LINK_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const PICTURE_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:']);
const PICTURE_DATA = /^data:image\//i;
const SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/i;
const EMAIL = /^[^\s/@:]+@[^\s/@:]+\.[^\s/@:]+$/;
/** A host name with or without a port. Its last part is neither a number nor a file extension. */
const HOST = /^(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+(?::\d+)?$/iu;
const FILE = /\.(?:html?|php|aspx?|jsp|pdf|xml|txt|md|jpe?g|png|gif|webp|svg|docx?|xlsx?|zip)$/i;

/** Completes the URL of a link that somebody typed. Paths, anchors and complete URLs are not changed. */
export function completeLink(typed: string): string {
  const address = typed.trim();
  if (SCHEME.test(address) || /^[/#?.]/.test(address)) {
    return address.startsWith('//') ? `https:${address}` : address;
  }
  if (EMAIL.test(address)) return `mailto:${address}`;
  const [host = ''] = address.split(/[/?#]/);
  return HOST.test(host) && !FILE.test(host) ? `https://${address}` : address;
}

/** Undefined for URLs that the panel must not link to. */
export function resolveLink(address: string, siteUrl: string | null): string | undefined {
  return resolve(address, siteUrl, LINK_PROTOCOLS);
}

/** Undefined for pictures that the panel must not load. */
export function resolvePicture(address: string, siteUrl: string | null): string | undefined {
  return PICTURE_DATA.test(address) ? address : resolve(address, siteUrl, PICTURE_PROTOCOLS);
}

function resolve(address: string, siteUrl: string | null, protocols: ReadonlySet<string>): string | undefined {
  const url = URL.parse(resolveAddress(address, siteUrl), siteUrl ?? undefined);
  return url !== null && protocols.has(url.protocol) ? url.href : undefined;
}
