// Decodes the content of a `data:` URL as browsers do: first percent-encoding, then base64. An SVG image that browsers might interpret
// differently is rejected.

import { fail, ok, type Result } from './result.ts';

const PERCENT_BYTE = /^%[0-9A-Fa-f]{2}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** With other encodings or parameters, a browser might interpret the content differently from Galley. */
const SVG_HEADER = /^data:image\/svg\+xml(?:;(?:charset=)?(?:utf-?8|us-ascii))?(?:;base64)?$/i;

/** The problem completes a sentence: `must …`. */
export function decodeDataSvg(address: string): Result<string, string> {
  const header = address.slice(0, address.indexOf(','));
  if (!SVG_HEADER.test(header))
    return fail('must contain UTF-8 text, as data:image/svg+xml, optionally with ;charset=utf-8 and ;base64');
  const bytes = decodeDataBytes(address);
  if (!bytes.ok) return bytes;
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes.value));
  } catch {
    return fail('must contain UTF-8 text');
  }
}

/** The problem completes a sentence: `must …`. */
export function decodeDataBytes(address: string): Result<Buffer, string> {
  const comma = address.indexOf(',');
  const escaped = decodePercents(address.slice(comma + 1));
  if (!address.slice(0, comma).toLowerCase().endsWith(';base64')) return ok(escaped);
  const packed = escaped.toString('latin1').replaceAll(/[\t\n\f\r ]/g, '');
  return BASE64.test(packed) ? ok(Buffer.from(packed, 'base64')) : fail('must contain valid base64');
}

/** A percent sign that is not followed by two hexadecimal digits is literal. */
function decodePercents(text: string): Buffer {
  const parts = text.split(/(%[0-9A-Fa-f]{2})/);
  return Buffer.concat(
    parts.map((part) => (PERCENT_BYTE.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part))),
  );
}
