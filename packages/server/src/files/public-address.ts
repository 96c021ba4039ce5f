// Decides which IP addresses belong to the public internet. Galley fetches files for users only from these addresses, and never from this
// machine, its network, or a cloud provider's metadata service.

import { BlockList, isIP } from 'node:net';

// The special-purpose address registries (RFC 6890), multicast, and a metadata service at a public address.
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's platform service, which gives a virtual machine its configuration and certificates
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** All public IPv6 addresses are in this range. Loopback, mapped IPv4, NAT64, link-local, unique local and multicast addresses are not. */
const UNICAST_IPV6 = ['2000::', 3] as const;
const SPECIAL_IPV6 = [
  // Teredo and other IETF assignments
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4, which contains an IPv4 address
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const special = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');
const unicast = new BlockList();
unicast.addSubnet(...UNICAST_IPV6, 'ipv6');

export function isPublicAddress(address: string): boolean {
  // A zone, as in `fe80::1%eth0`, names a network interface on this machine.
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return unicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}
