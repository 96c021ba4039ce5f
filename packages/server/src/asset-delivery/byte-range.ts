// Range requests (RFC 9110, 14.2). A request for one range gets a 206 response. A request for several ranges gets the
// whole file, as the RFC allows: few clients request several ranges, and a request for many small ranges is
// probably an attack.

export interface ByteSpan {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

const RANGE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i;

/** Null for the whole file. @param ifRange the range applies only if this names the current version */
export function parseRange(
  range: string | undefined,
  ifRange: string | undefined,
  etag: string,
  bytes: number,
): ByteSpan | 'unsatisfiable' | null {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return null;
  const [, first, last] = RANGE.exec(range) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= bytes) return 'unsatisfiable';
  return { start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) };
}
