// An answer of the delivery API on its way out: validators, compression, headers.

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Answer {
  readonly body: string;
  readonly link: string | undefined;
}

type Encoding = 'br' | 'zstd' | 'gzip';

/** A short text goes out in one write with its headers; a long one is cheaper to encode once, for digest and socket. */
const LEAST_ENCODED_LENGTH = 16_384;

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

export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  { vary, isPreview }: AnswerHeaders,
): Promise<FastifyReply> {
  const body = answer.body.length < LEAST_ENCODED_LENGTH ? answer.body : Buffer.from(answer.body);
  const size = Buffer.byteLength(body);
  const encoding = size < LEAST_COMPRESSED_BYTES ? undefined : chooseEncoding(request.headers['accept-encoding']);
  // The bytes of each encoding are different, so each has a validator of its own.
  const digest = hash('sha256', body, 'base64url').slice(0, 22);
  const etag = encoding === undefined ? `"${digest}"` : `"${digest}-${encoding}"`;
  reply.header('vary', vary);
  reply.header('cache-control', isPreview ? 'private, no-cache, no-store' : 'private, no-cache');
  reply.header('cache-status', 'galley; fwd=miss');
  reply.header('etag', etag);
  if (answer.link !== undefined) reply.header('link', answer.link);
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.header('content-type', 'application/json; charset=utf-8');
  if (encoding === undefined) return reply.header('content-length', size).send(body);
  reply.header('content-encoding', encoding);
  return reply.send(await compress[encoding](typeof body === 'string' ? Buffer.from(body) : body));
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
