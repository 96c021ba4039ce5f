// Fetches a file from a web address that a user has entered. Only public addresses are contacted (guarded-request.ts), even after a
// redirect.

import type { IncomingMessage } from 'node:http';
import { fail, ok, type Result } from '../content/result.ts';
import { type AddressRules, openGuardedRequest, PrivateAddress } from './guarded-request.ts';

export interface FetchLimits {
  readonly mostBytes: number;
  /** The time limit for the whole fetch, from the first lookup to the last byte. */
  readonly mostMs: number;
}

export type FetchSeams = AddressRules;

export interface RemoteFile {
  /** The last part of the address, for `buildFileName`; it may be empty. */
  readonly name: string;
  /** Throws a RemoteFileError if a limit is reached or the connection is lost. The caller must read all bytes or call `return`. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export type RemoteProblemCode =
  | 'invalid_url'
  | 'private_address'
  | 'unreachable'
  | 'status'
  | 'too_many_redirects'
  | 'too_large'
  | 'too_slow';

export interface RemoteProblem {
  readonly code: RemoteProblemCode;
  readonly message: string;
}

export class RemoteFileError extends Error {
  override readonly name = 'RemoteFileError';
  readonly problem: RemoteProblem;

  constructor(code: RemoteProblemCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = { code, message };
  }
}

const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export async function fetchRemote(
  address: string,
  limits: FetchLimits,
  seams: FetchSeams = {},
): Promise<Result<RemoteFile, RemoteProblem>> {
  const deadline = AbortSignal.timeout(limits.mostMs);
  try {
    const { url, response } = await followRedirects(address, deadline, seams);
    try {
      requireFile(response, limits);
    } catch (error) {
      response.destroy();
      throw error;
    }
    return ok({ name: readName(url), bytes: readBody(response, limits, deadline) });
  } catch (error) {
    return fail(buildError(error, limits, deadline).problem);
  }
}

async function followRedirects(
  address: string,
  deadline: AbortSignal,
  seams: FetchSeams,
): Promise<{ readonly url: URL; readonly response: IncomingMessage }> {
  let url = parseUrl(address);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const response = await send(url, deadline, seams);
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return { url, response };
    response.destroy();
    url = parseUrl(location, url);
  }
  throw new RemoteFileError('too_many_redirects', `The address redirects more than ${MOST_REDIRECTS} times.`);
}

function parseUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (url === null) throw new RemoteFileError('invalid_url', 'The address is not a valid URL.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RemoteFileError('invalid_url', 'The address must start with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new RemoteFileError('invalid_url', 'The address must not contain a user name or password.');
  }
  return url;
}

function send(url: URL, deadline: AbortSignal, seams: FetchSeams): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'user-agent': 'Galley', accept: '*/*', 'accept-encoding': 'identity' };
  const request = openGuardedRequest(url, { signal: deadline, headers }, seams);
  request.once('response', resolve);
  // Once the response has arrived, errors are also emitted on its stream.
  request.on('error', reject);
  // After an unrequested status 101, Node closes the connection without a response or an error.
  request.once('close', () => reject(new RemoteFileError('unreachable', 'The server closed the connection.')));
  request.end();
  return promise;
}

function requireFile(response: IncomingMessage, { mostBytes }: FetchLimits): void {
  if (response.statusCode !== 200) {
    throw new RemoteFileError('status', `The server responded with status ${response.statusCode}.`);
  }
  if ((response.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new RemoteFileError('status', 'The server compressed the file, even though the request did not allow that.');
  }
  if (Number(response.headers['content-length'] ?? 0) > mostBytes) throw buildTooLarge(mostBytes);
}

async function* readBody(
  response: IncomingMessage,
  limits: FetchLimits,
  deadline: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  try {
    for await (const chunk of response) {
      const piece: Uint8Array = chunk;
      bytes += piece.length;
      if (bytes > limits.mostBytes) throw buildTooLarge(limits.mostBytes);
      yield piece;
    }
  } catch (error) {
    throw buildError(error, limits, deadline);
  } finally {
    response.destroy();
  }
}

function buildTooLarge(mostBytes: number): RemoteFileError {
  return new RemoteFileError('too_large', `The file is larger than ${mostBytes} bytes.`);
}

function buildError(error: unknown, { mostMs }: FetchLimits, deadline: AbortSignal): RemoteFileError {
  if (error instanceof RemoteFileError) return error;
  if (error instanceof PrivateAddress) {
    const message = `${error.host} is not on the public internet, so Galley will not fetch files from it.`;
    return new RemoteFileError('private_address', message, error);
  }
  if (deadline.aborted) {
    return new RemoteFileError('too_slow', `The server did not send the file within ${mostMs / 1000} seconds.`, error);
  }
  const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  return new RemoteFileError('unreachable', `The file could not be fetched from the server${reason}.`, error);
}

function readName({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
