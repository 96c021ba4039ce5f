// URLs in content. Only the schemes below are allowed, because a `javascript:` URL would run code on a site's pages.

const HTTP_START = /^https?:\/\//i;
const DATA_START = /^data:[^,\s]{0,255},/i;
/** Two slashes would start a host name, and browsers treat a backslash as a slash. */
const PATH_START = /^\/(?![/\\])/;
const UNFIT_FOR_SITE = /[\s?#\p{Cc}\p{Cs}]/u;
/** An asset's URL may contain spaces, because many URLs on old sites do, and browsers escape the spaces. */
const UNFIT_FOR_ADDRESS = /[\p{Cc}\p{Cs}]|\s$/u;

const MAX_SITE_URL = 2048;
const MAX_PAGE_ADDRESS = 2048;

export const SITE_URL_RULE = `an http(s) URL of at most ${MAX_SITE_URL} characters without a query or fragment`;
export const PAGE_ADDRESS_RULE = `an http(s) URL, or a path that starts with /, without spaces and at most ${MAX_PAGE_ADDRESS} characters long`;
export const ASSET_URL_RULE = 'an http(s) URL, a path starting with / or a data: URL';

/** Returns the URL without trailing slashes, ready for appending a uri; undefined if the URL is invalid. */
export function parseSiteUrl(text: string): string | undefined {
  if (text.length > MAX_SITE_URL || UNFIT_FOR_SITE.test(text) || !isHttpAddress(text)) return undefined;
  return text.replace(/\/+$/, '');
}

export function isAssetUrl(text: string): boolean {
  if (UNFIT_FOR_ADDRESS.test(text)) return false;
  return PATH_START.test(text) || DATA_START.test(text) || isHttpAddress(text);
}

export function isPageAddress(text: string): boolean {
  if (text.length > MAX_PAGE_ADDRESS || /\s/.test(text) || UNFIT_FOR_ADDRESS.test(text)) return false;
  return PATH_START.test(text) || isHttpAddress(text);
}

function isHttpAddress(text: string): boolean {
  return HTTP_START.test(text) && URL.canParse(text);
}
