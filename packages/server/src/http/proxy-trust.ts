// Which proxies are believed, and whose address a request therefore comes from. Each proxy appends the address that called
// it to X-Forwarded-For, and whatever stands to the left of that is the client's to invent: so the list is read from the
// right, and only as far as there are trusted proxies.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';

/** How many proxies stand between the clients and this service, or the networks (`10.0.0.0/8`) that they are in. */
export type TrustedProxies = number | readonly string[];

export interface ProxyTrust {
  /** Whether the request came through a trusted proxy, so that its X-Forwarded-* headers count. */
  readonly isForwarded: (request: IncomingMessage) => boolean;
  /** The client's address, without port and zone; empty where the connection is gone. */
  readonly readAddress: (request: IncomingMessage) => string;
}

export function createProxyTrust(trusted: TrustedProxies): ProxyTrust {
  const trusts =
    typeof trusted === 'number' ? (_address: string, hop: number) => hop < trusted : trustNetworks(trusted);
  const isForwarded = typeof trusted === 'number' ? () => trusted > 0 : rememberBySocket((peer) => trusts(peer, 0));
  return { isForwarded, readAddress: (request) => findClient(request, trusts) };
}

type Trusts = (address: string, hop: number) => boolean;

function trustNetworks(networks: readonly string[]): Trusts {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Proxies keep their connections open, and lists of content ask for each request. */
function rememberBySocket(trustsPeer: (peer: string) => boolean): ProxyTrust['isForwarded'] {
  const known = new WeakMap<Socket, boolean>();
  return ({ socket }) => {
    let isTrusted = known.get(socket);
    if (isTrusted === undefined) {
      isTrusted = trustsPeer(readPeer(socket));
      known.set(socket, isTrusted);
    }
    return isTrusted;
  };
}

function findClient({ socket, headers }: IncomingMessage, trusts: Trusts): string {
  const peer = readPeer(socket);
  let client = peer;
  let rest = joinValues(headers['x-forwarded-for']);
  for (let hop = 0; trusts(client, hop); hop += 1) {
    const [before, last] = splitLast(rest);
    // A proxy that does not tell an address (`unknown`) is where knowledge ends.
    const address = parseAddress(last);
    if (address === undefined) break;
    client = address;
    rest = before;
  }
  return client;
}

function readPeer({ remoteAddress }: Socket): string {
  return parseAddress(remoteAddress ?? '') ?? '';
}

function joinValues(value: string | readonly string[] | undefined): string {
  return value === undefined || typeof value === 'string' ? (value ?? '') : value.join(',');
}

/** The last element that is not empty (RFC 9110, 5.6.1), and what stands before it. A client chooses how long the list is. */
function splitLast(list: string): readonly [before: string, last: string] {
  let end = list.length;
  while (end > 0 && ', \t'.includes(list.charAt(end - 1))) end -= 1;
  const start = list.lastIndexOf(',', end - 1) + 1;
  return [list.slice(0, start), list.slice(start, end).trim()];
}

/** Some proxies write a port, and brackets around addresses of IPv6. */
function parseAddress(text: string): string | undefined {
  const [, bracketed, ported] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const [address = ''] = (bracketed ?? ported ?? text).split('%');
  if (isIP(address) === 0) return undefined;
  // As a socket for both families names a client of IPv4.
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
}
