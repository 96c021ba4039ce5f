// Searches a response for text that its reader must not see. Links, meta and error messages may repeat text from the request,
// including text inside its cursor. The content objects must not contain any marker.

import { isObject } from './same-body.ts';
import { markersIn } from './secret-site.ts';
import type { Answer } from './service-call.ts';

/** All markers that appear in the response although they must not. */
export function leakedMarkers(url: string, { body, text, headers }: Answer): readonly string[] {
  const given = new URL(url).searchParams;
  const sent = markersIn([...given].flat().concat(given.getAll('cursor').map(decodeCursor)).join('\n'));
  const echo = isObject(body) && ('data' in body || 'message' in body);
  const objects = echo ? JSON.stringify('data' in body ? body.data : null) : text;
  const everything = [text, ...[...headers].flat(), ...cursorsIn(text).map(decodeCursor)].join('\n');
  return [...markersIn(objects), ...markersIn(everything).filter((marker) => !sent.includes(marker))];
}

function cursorsIn(text: string): readonly string[] {
  return [...text.matchAll(/"(?:next|prev)_cursor":"([^"]+)"/g)].map(([, cursor = '']) => cursor);
}

/** Cursors are opaque, but they must not contain hidden values, not even in encoded form. */
function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8');
}
