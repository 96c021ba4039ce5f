// Request ids tell log lines and answers of all nodes apart. A caller may bring its own, so that the logs of both sides
// name a request alike; one that is not plainly an id, or holds a key, is replaced. Our own are no secret, but nobody should be able to
// guess another process's ids; a counter behind a random prefix gives both for the price of an addition.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const PREFIX = `${randomBytes(8).toString('hex')}-`;

/** Nothing that a log, a terminal or a page could take for anything but text. A header that is repeated has a comma. */
const WELL_FORMED = /^[\w.-]{1,128}$/;

/** An API key, a management token or the token of a set-up link: a caller may put one where it does not belong, and it must not be repeated. */
export const KEY = /(g[kms]_)[\w-]+/;

let count = 0;

export function createRequestId(): string {
  count += 1;
  return PREFIX + count.toString(36);
}

/** Beside the requests: one property more would cost each of them more than its id. */
const idsOfRequests = new WeakMap<IncomingMessage, string>();

export function readRequestId(request: IncomingMessage): string {
  const known = readGivenId(request) ?? idsOfRequests.get(request);
  if (known !== undefined) return known;
  const id = createRequestId();
  idsOfRequests.set(request, id);
  return id;
}

/** To be asked once, when the answer leaves: nobody asks for the request's id afterwards. */
export function readLastRequestId(request: IncomingMessage): string {
  return readGivenId(request) ?? idsOfRequests.get(request) ?? createRequestId();
}

function readGivenId({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) && !KEY.test(given) ? given : undefined;
}
