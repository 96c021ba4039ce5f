// The text of the SVG picture in a `data:` address, as browsers read it: percent signs first, base64 then. An address that
// browsers and we could read differently is refused.

import { fail, ok, type Result } from './result.ts';

const PERCENT_BYTE = /^%[0-9A-Fa-f]{2}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Other encodings and parameters could hide from us what a browser would see. */
const HEADER = /^data:image\/svg\+xml(?:;(?:charset=)?(?:utf-?8|us-ascii))?(?:;base64)?$/i;

/** The problem reads on from the address: `must …`. */
export function decodeDataSvg(address: string): Result<string, string> {
  const comma = address.indexOf(',');
  const header = address.slice(0, comma);
  if (!HEADER.test(header))
    return fail('must hold UTF-8 text, as data:image/svg+xml, with ;charset=utf-8 or ;base64 at most');
  const escaped = decodePercents(address.slice(comma + 1));
  const bytes = header.toLowerCase().endsWith(';base64') ? decodeBase64(escaped.toString('latin1')) : escaped;
  if (bytes === undefined) return fail('must hold valid base64');
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return fail('must hold UTF-8 text');
  }
}

/** A percent sign that no two digits follow stands for itself. */
function decodePercents(text: string): Buffer {
  const parts = text.split(/(%[0-9A-Fa-f]{2})/);
  return Buffer.concat(
    parts.map((part) => (PERCENT_BYTE.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part))),
  );
}

function decodeBase64(text: string): Buffer | undefined {
  const packed = text.replaceAll(/[\t\n\f\r ]/g, '');
  return BASE64.test(packed) ? Buffer.from(packed, 'base64') : undefined;
}
