// An answer of the delivery API on its way out: validators, compression, headers.

import type { OutgoingHttpHeader } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Answer {
  readonly body: string;
  /** Whether the body is known to hold nothing but ASCII. */
  readonly isAscii: boolean;
  /** Changes whenever the body does. */
  readonly validator: string;
  readonly link: string | undefined;
}

type Encoding = 'br' | 'zstd' | 'gzip';

/** Smaller answers do not gain from compression. */
const LEAST_COMPRESSED_BYTES = 1024;

const compress: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (bytes) => promisify(zstdCompress)(bytes),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
};

export interface AnswerHeaders {
  /** What the answer depends on besides the URL. */
  readonly vary: string;
  readonly isPreview: boolean;
}

/** Past Fastify, which has nothing to add here; what all responses carry is added by the response itself. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  { vary, isPreview }: AnswerHeaders,
): FastifyReply | Promise<FastifyReply> {
  const { body, isAscii, validator, link } = answer;
  const size = isAscii ? body.length : Buffer.byteLength(body);
  const encoding = size < LEAST_COMPRESSED_BYTES ? undefined : chooseEncoding(request.headers['accept-encoding']);
  // The bytes of each encoding are different, so each has a validator of its own.
  const etag = encoding === undefined ? `"${validator}"` : `"${validator}-${encoding}"`;
  const headers: OutgoingHttpHeader[] = [
    'vary',
    vary,
    'cache-control',
    isPreview ? 'private, no-cache, no-store' : 'private, no-cache',
    'cache-status',
    'galley; fwd=miss',
    'etag',
    etag,
  ];
  if (link !== undefined) headers.push('link', link);
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    reply.hijack().raw.writeHead(304, headers).end();
    return reply;
  }
  headers.push('content-type', 'application/json; charset=utf-8');
  if (encoding === undefined) {
    headers.push('content-length', size);
    // Plain ASCII is the same in both encodings, and this one is copied instead of converted.
    reply
      .hijack()
      .raw.writeHead(200, headers)
      .end(body, size === body.length ? 'latin1' : 'utf8');
    return reply;
  }
  return compress[encoding](Buffer.from(body)).then((bytes) => {
    headers.push('content-encoding', encoding, 'content-length', bytes.length);
    reply.hijack().raw.writeHead(200, headers).end(bytes);
    return reply;
  });
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

/** The best encoding that the client takes, in our order of preference among equals. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  let best: Encoding | undefined;
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
