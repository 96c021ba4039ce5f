/**
 * @param name the option, for the error message
 * @param base the base URL for a relative address; if omitted, the address must be absolute
 */
export function parseWebAddress(name: string, address: string, base?: string): URL {
  try {
    const url = new URL(address, base);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch {
    // Throws the same error as for other protocols.
  }
  throw new TypeError(`${name} must be a web address, such as https://cms.example, got "${address}".`);
}
