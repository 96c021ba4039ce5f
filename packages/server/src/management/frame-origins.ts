// The websites that the panel may show in a frame: the preview addresses in the signed-in user's account. Nobody else learns where drafts
// can be previewed.

import type { IncomingMessage } from 'node:http';
import { hashToken } from '../content/api-token.ts';
import type { RequestOrigin } from '../http/request-origin.ts';
import { selectSession } from '../storage/accounts/accounts.ts';
import { StorageUnavailable } from '../storage/engine.ts';
import { selectAddressesOfAccount } from '../storage/sites/preview-settings.ts';
import type { Procedure } from '../storage/statement.ts';
import type { Storage } from '../storage/storage.ts';
import { isSessionLive } from './authenticate.ts';
import { readCookie } from './session/host-cookie.ts';

export interface FrameOriginParts {
  readonly storage: Storage;
  readonly now: () => number;
  readonly origin: RequestOrigin;
}

/** Proxies reject responses whose headers are longer than a few kilobytes. */
const MOST_CHARACTERS = 3000;

/** @param siteId the site that the panel will show first. If there are too many addresses, those of this site come first. */
export async function findFrameOrigins(
  { storage, now, origin }: FrameOriginParts,
  request: IncomingMessage,
  siteId: string,
): Promise<readonly string[]> {
  const token = readCookie('session', request.headers.cookie, origin.isSecure(request));
  if (token === undefined) return [];
  try {
    return fitIntoHeader(await storage.read(selectAddresses(token, siteId, now())));
  } catch (error) {
    // The panel itself explains that the database cannot be reached.
    if (error instanceof StorageUnavailable) return [];
    throw error;
  }
}

function* selectAddresses(token: string, siteId: string, now: number): Procedure<readonly string[]> {
  const session = yield* selectSession(hashToken(token));
  if (session === undefined || !isSessionLive(session, now)) return [];
  return yield* selectAddressesOfAccount(session.account_no, siteId);
}

function fitIntoHeader(addresses: readonly string[]): readonly string[] {
  const origins = [...new Set(addresses.map((address) => new URL(address).origin))];
  let characters = 0;
  return origins.filter((origin) => {
    characters += origin.length + 1;
    return characters <= MOST_CHARACTERS;
  });
}
