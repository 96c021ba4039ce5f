// The receivers that Galley may call: everything on the public internet, and anything listed in GALLEY_WEBHOOK_ALLOW.

import { BlockList, isIP, isIPv6 } from 'node:net';
import { isPublicAddress } from '../files/public-address.ts';

/** @param allowed host names in lower case, and networks such as `10.0.0.0/8` */
export function createTargetRule(allowed: readonly string[]): (address: string, host: string) => boolean {
  const hosts = new Set(allowed.filter((entry) => !entry.includes('/')));
  const networks = new BlockList();
  for (const entry of allowed) {
    const [network = '', prefix] = entry.split('/');
    if (prefix !== undefined) networks.addSubnet(network, Number(prefix), isIPv6(network) ? 'ipv6' : 'ipv4');
  }
  return (address, host) => {
    if (isPublicAddress(address) || hosts.has(host)) return true;
    // A zone, as in `fe80::1%eth0`, names an interface on this machine.
    if (isIP(address) === 0 || address.includes('%')) return false;
    return networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}
