// A file that the explorer page needs, read from disk when it is first asked for and compressed once.

import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface PageFile {
  readonly contentType: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

const compress = promisify(gzip);

export async function openPageFile(path: string, contentType: string): Promise<PageFile> {
  return buildPageFile(await readFile(path), contentType);
}

export async function buildPageFile(plain: Buffer, contentType: string): Promise<PageFile> {
  // Weak, because the plain and the compressed form share it.
  const etag = `W/"${hash('sha256', plain, 'base64url').slice(0, 22)}"`;
  return { contentType, etag, plain, gzipped: await compress(plain) };
}

export function sendPageFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  reply.header('etag', file.etag).header('vary', 'Accept-Encoding');
  if (namesTag(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  reply.type(file.contentType);
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(file.plain);
  return reply.header('content-encoding', 'gzip').send(file.gzipped);
}

function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*') ?? false;
}

function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return acceptEncoding?.split(',').some((coding) => /^\s*gzip\s*(;\s*q=(1|0?\.\d*[1-9]).*)?$/i.test(coding)) ?? false;
}
