// Compresses answers, and chooses the best encoding that a client accepts.

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export type ContentEncoding = 'br' | 'zstd' | 'gzip';

/** Smaller answers do not gain from compression. */
const LEAST_COMPRESSED_BYTES = 1024;

const COMPRESS: Readonly<Record<ContentEncoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (bytes) => promisify(zstdCompress)(bytes),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
};

/** Answers that wait for compression stay in memory. Over this many waiting bytes, further answers leave uncompressed. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
let waitingBytes = 0;

/** @param size of the answer, in bytes */
export function canCompress(size: number): boolean {
  return waitingBytes === 0 || waitingBytes + size <= MOST_WAITING_BYTES;
}

/** Runs on one of Node's own threads. */
export async function compress(bytes: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  waitingBytes += bytes.length;
  try {
    return await COMPRESS[encoding](bytes);
  } finally {
    waitingBytes -= bytes.length;
  }
}

/** Clients send only a few different headers, but could invent many, so the cache is limited. */
const chosen = new LRUCache<string, ContentEncoding | 'none'>({ max: 200 });
const LONGEST_KEPT_HEADER = 200;

/** @param size of the answer, in bytes */
export function findEncoding(acceptEncoding: string | undefined, size: number): ContentEncoding | undefined {
  if (acceptEncoding === undefined || size < LEAST_COMPRESSED_BYTES) return undefined;
  const known = chosen.get(acceptEncoding);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const encoding = chooseEncoding(acceptEncoding);
  if (acceptEncoding.length <= LONGEST_KEPT_HEADER) chosen.set(acceptEncoding, encoding ?? 'none');
  return encoding;
}

/** The best encoding that the client accepts. Among equals, our own preference decides. */
export function chooseEncoding(acceptEncoding: string): ContentEncoding | undefined {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  let best: ContentEncoding | undefined;
  let bestWeight = weights.get('identity') ?? 0;
  for (const encoding of ['br', 'zstd', 'gzip'] as const) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0;
    if (weight > bestWeight || (best === undefined && weight > 0 && weight >= bestWeight)) {
      best = encoding;
      bestWeight = weight;
    }
  }
  return best;
}
