// One attempt to deliver a call over HTTP. The status determines the outcome. Only the beginning of the response body is read, for the log.
// Redirects are not followed, because a receiver could use them to send a signed call to somebody else.

import type { IncomingMessage } from 'node:http';
import { type AddressRules, openGuardedRequest, PrivateAddress } from '../files/guarded-request.ts';

/** A call as it is sent. */
export interface OutgoingCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The values of custom headers. A receiver may repeat them, but the log must not contain them. */
  readonly secrets: readonly string[];
}

export interface AttemptOptions {
  readonly rules: AddressRules;
  /** The time limit for the whole attempt, from the host lookup to the end of the response. */
  readonly mostMs: number;
  /** Abandons the attempt. */
  readonly signal: AbortSignal;
}

export interface Attempt {
  readonly durationMs: number;
  /** Null if there was no response. */
  readonly status: number | null;
  /** A sentence; null if the receiver accepted the call. */
  readonly error: string | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  /** The beginning of the response body. */
  readonly responseBody: string | null;
}

/** How much of a response is kept. */
const MOST_BODY_CHARACTERS = 2048;
/** Somewhat more is read, so that a secret at the end is complete and can be found. */
const MOST_BODY_BYTES = MOST_BODY_CHARACTERS + 4096;
const MOST_HEADERS = 50;
const MOST_HEADER_CHARACTERS = 200;
/** A receiver that has accepted a call and then does not end its response must not keep other calls waiting. */
const MOST_BODY_MS = 1000;

/** Never rejects. Returns undefined if the attempt was abandoned. */
export async function sendAttempt(call: OutgoingCall, options: AttemptOptions): Promise<Attempt | undefined> {
  const { mostMs, signal } = options;
  const startedAt = performance.now();
  const ending = new AbortController();
  const timeout = setTimeout(() => ending.abort(), mostMs);
  const abandon = (): void => ending.abort();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    signal.throwIfAborted();
    const response = await open(call, options.rules, ending.signal);
    const hide = buildMask(call.secrets);
    const responseBody = hide(await readBeginning(response)).slice(0, MOST_BODY_CHARACTERS);
    const { statusCode: status = 0 } = response;
    const responseHeaders = keepHeaders(response.headers, hide);
    return { ...finish(), status, error: describeStatus(status), responseHeaders, responseBody };
  } catch (error) {
    if (signal.aborted) return undefined;
    const sentence = ending.signal.aborted
      ? `The receiver did not respond within ${mostMs / 1000} seconds.`
      : describeFailure(error);
    return { ...finish(), status: null, error: sentence, responseHeaders: null, responseBody: null };
  } finally {
    clearTimeout(timeout);
    signal.removeEventListener('abort', abandon);
  }

  function finish(): Pick<Attempt, 'durationMs'> {
    return { durationMs: Math.round(performance.now() - startedAt) };
  }
}

function open(
  { url, headers, body }: OutgoingCall,
  rules: AddressRules,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const bytes = Buffer.from(body);
  const request = openGuardedRequest(
    new URL(url),
    { method: 'POST', signal, headers: { ...headers, 'content-length': bytes.length } },
    rules,
  );
  request.once('response', resolve);
  // Once the response has arrived, its stream emits errors too.
  request.on('error', reject);
  // After an unrequested status 101, Node closes the connection without a response or an error.
  request.once('close', () => reject(new Error('The connection was closed')));
  request.end(bytes);
  return promise;
}

/** The connection is closed afterwards. An incomplete body is not an error: the receiver has already responded. */
function readBeginning(response: IncomingMessage): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = (): void => {
    clearTimeout(timeout);
    response.destroy();
    const text = Buffer.concat(chunks).subarray(0, MOST_BODY_BYTES).toString();
    // PostgreSQL cannot store this character.
    resolve(text.replaceAll('\0', '\u{fffd}'));
  };
  const timeout = setTimeout(end, MOST_BODY_MS);
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MOST_BODY_BYTES) end();
  });
  response.once('end', end);
  response.once('close', end);
  response.on('error', end);
  return promise;
}

function keepHeaders(
  headers: IncomingMessage['headers'],
  hide: (text: string) => string,
): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).slice(0, MOST_HEADERS);
  return Object.fromEntries(kept.map(([name, value]) => [name, hide(String(value)).slice(0, MOST_HEADER_CHARACTERS)]));
}

export const MASK = '•••';
/** Shorter strings are not secrets, and occur in ordinary responses. */
const LEAST_SECRET_CHARACTERS = 6;

/**
 * Returns a function that hides secrets in text, whether they appear in full, without their scheme (such as `Bearer`), or escaped in JSON.
 */
function buildMask(secrets: readonly string[]): (text: string) => string {
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(' ')]);
  const forms = new Set([...parts, ...parts.map((part) => JSON.stringify(part).slice(1, -1))]);
  const hidden = [...forms]
    .filter(({ length }) => length >= LEAST_SECRET_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
  return (text) => {
    const shown = hidden.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
    // The rest of a long secret may not have been read.
    const cut = Math.max(0, ...hidden.map((secret) => findCut(shown, secret)));
    return cut === 0 ? shown : `${shown.slice(0, -cut)}${MASK}`;
  };
}

/** Returns how many characters at the end of the text may be the beginning of the secret. */
function findCut(text: string, secret: string): number {
  for (let length = secret.length - 1; length >= LEAST_SECRET_CHARACTERS; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const sentence = `The receiver responded with status ${status}.`;
  return status >= 300 && status < 400 ? `${sentence} Galley does not follow redirects.` : sentence;
}

function describeFailure(error: unknown): string {
  if (error instanceof PrivateAddress) {
    return `${error.host} is not on the public internet, so Galley does not call it. Use the GALLEY_WEBHOOK_ALLOW setting to allow it.`;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === 'ECONNRESET') return 'The receiver closed the connection without a response (ECONNRESET).';
  return code === undefined
    ? 'The receiver closed the connection without a response.'
    : `The receiver could not be reached (${code}).`;
}
