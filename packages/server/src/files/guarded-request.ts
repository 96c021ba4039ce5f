// Opens an HTTP request to an address that a user has entered. Every address is checked when the connection is made, so a host name cannot
// pass the check and then resolve to another address.

import { type LookupAddress, type LookupAllOptions, lookup as lookUpHost } from 'node:dns';
import { type ClientRequest, Agent as HttpAgent, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

type LookUp = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface AddressRules {
  /**
   * By default, only public addresses are allowed.
   * @param host the host in the URL, in lower case; it may be the address itself
   */
  readonly isAllowed?: (address: string, host: string) => boolean;
  readonly lookUp?: LookUp;
}

/** The host has an address that the rules do not allow. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
  readonly host: string;

  constructor(host: string) {
    super(`${host} is not on the public internet`);
    this.host = host;
  }
}

interface GuardedOptions {
  readonly method?: string;
  readonly headers: OutgoingHttpHeaders;
  readonly signal: AbortSignal;
}

/** The caller must end the request. Throws a PrivateAddress, or the request emits it as an error. */
export function openGuardedRequest(url: URL, options: GuardedOptions, rules: AddressRules = {}): ClientRequest {
  const { isAllowed = isPublicAddress, lookUp = lookUpHost } = rules;
  // Node does not look up a host that is already an IP address. `URL` has already turned forms such as 0x7f.1 and 2130706433 into ordinary
  // addresses.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host, host)) throw new PrivateAddress(url.hostname);
  const isSecure = url.protocol === 'https:';
  return (isSecure ? requestHttps : requestHttp)(url, {
    ...options,
    // A reused connection would not be checked, and a proxy would look up the host itself.
    agent: isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
    lookup: createLookup(url.hostname, (address) => isAllowed(address, host), lookUp),
  });
}

/** Node connects only to the addresses that this returns. */
function createLookup(hostname: string, isAllowed: (address: string) => boolean, lookUp: LookUp): LookupFunction {
  return (host, options, callback) => {
    lookUp(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      // A host with even one private address is not meant for the public.
      const isPublic = addresses.length > 0 && addresses.every(({ address }) => isAllowed(address));
      if (!isPublic) return callback(new PrivateAddress(hostname), '');
      const [first] = addresses;
      if (options.all === true) return callback(null, addresses);
      return callback(null, first?.address ?? '', first?.family ?? 4);
    });
  };
}
