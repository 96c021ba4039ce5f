// Completes the address that somebody types for a link, so that it works on every page.

const SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/i;
const EMAIL = /^[^\s/@:]+@[^\s/@:]+\.[^\s/@:]+$/;
/** A host name, with or without a port: the last part is no number and no file's. */
const HOST = /^(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+(?::\d+)?$/iu;
const FILE = /\.(?:html?|php|aspx?|jsp|pdf|xml|txt|md|jpe?g|png|gif|webp|svg|docx?|xlsx?|zip)$/i;

/** Paths, anchors and whole addresses stay as they are. */
export function completeLink(typed: string): string {
  const address = typed.trim();
  if (SCHEME.test(address) || /^[/#?.]/.test(address)) {
    return address.startsWith('//') ? `https:${address}` : address;
  }
  if (EMAIL.test(address)) return `mailto:${address}`;
  const [host = ''] = address.split(/[/?#]/);
  return HOST.test(host) && !FILE.test(host) ? `https://${address}` : address;
}
