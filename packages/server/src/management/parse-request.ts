// Reads a call's path parameters, query and body.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AuthoringRefusal, refuseFaults } from '../authoring/authoring-refusal.ts';
import { type Fault, joinMember } from '../content/fault.ts';
import { parseStrictJson } from '../content/strict-json.ts';
import { isPlainText, PLAIN_TEXT_RULE } from '../content/text-rules.ts';
import { PROBLEMS, ProblemError } from '../http/problems.ts';

/** The path parameters of a route. Values that no database can store are reported as not found. */
export function readPath(params: unknown): Readonly<Record<string, string>> {
  const path: [string, string][] = [];
  for (const [name, value] of Object.entries(params ?? {})) {
    if (typeof value !== 'string' || !isPlainText(value)) throw new ProblemError(PROBLEMS.notFound);
    path.push([name, value]);
  }
  return Object.fromEntries(path);
}

/** The parameters in a query string. Each may be given only once. */
export function parseQuery(text: string): Readonly<Record<string, string>> {
  const query = new Map<string, string>();
  const faults = new Map<string, Fault>();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = joinMember('query', name);
    if (query.has(name)) faults.set(path, { path, message: 'must not be given twice', code: 'duplicate' });
    else if (!isPlainText(value)) faults.set(path, { path, message: `must be ${PLAIN_TEXT_RULE}` });
    query.set(name, value);
  }
  if (faults.size > 0) throw refuseFaults([...faults.values()]);
  return Object.fromEntries(query);
}

/** The body of a save, including blocks, is rarely larger than a tenth of this. */
export const MOST_BODY_BYTES = 4 * 1024 * 1024;

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** Accepts only JSON in UTF-8. `parseBody` parses it later, once the rest of the call has been validated. */
export function registerJsonBodies(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MOST_BODY_BYTES },
    async ({ headers }: FastifyRequest, bytes: Buffer) => {
      const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
      const coding = headers['content-encoding'] ?? 'identity';
      const isReadable = charset.toLowerCase() === 'utf-8' && coding.toLowerCase() === 'identity';
      if (!isReadable) throw new ProblemError(PROBLEMS.unsupportedMediaType);
      return bytes;
    },
  );
}

/**
 * The largest allowed content has two thirds as many properties and items as this. Other requests wait while a body is parsed and
 * checked.
 */
const MOST_PARTS = 60_000;

/** @returns undefined if there is no body */
export function parseBody(body: Uint8Array | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined;
  // Searching a Buffer is fast, because it uses vector instructions.
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (hasMoreParts(bytes, MOST_PARTS)) {
    throw refuseFaults([{ path: '', message: `must have at most ${MOST_PARTS} properties and items in total` }]);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AuthoringRefusal('The body is not valid UTF-8.', { reason: 'malformed' });
  }
  const parsed = parseStrictJson(text);
  if (!parsed.ok) throw new AuthoringRefusal(`The body ${parsed.problem}.`, { reason: 'malformed' });
  return parsed.value;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/** Counts before parsing. If the bytes are not JSON, the count may be wrong. */
function hasMoreParts(bytes: Buffer, most: number): boolean {
  let parts = 0;
  for (let at = 0; at < bytes.length && parts <= most; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = findStringEnd(bytes, at);
    else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) parts += 1;
  }
  return parts > most;
}

/** @returns the position of the closing quote */
function findStringEnd(bytes: Buffer, start: number): number {
  const quote = bytes.indexOf(QUOTE, start + 1);
  if (quote === -1) return bytes.length;
  if (bytes[quote - 1] !== BACKSLASH) return quote;
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
