import { isIPv4, isIPv6 } from 'node:net';

const NETWORK_GROUPS = 4;

/**
 * The key under which an address is counted. For IPv6, this is the /64 network, whose addresses usually all belong to one customer.
 */
export function buildAddressKey(address: string): string {
  const embedded = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (embedded !== undefined && isIPv4(embedded)) return embedded;
  if (!isIPv6(address)) return address;
  const [start = '', end] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const groups = start === '' ? [] : start.split(':');
  const tail = end === undefined || end === '' ? [] : end.split(':');
  // An IPv4 address at the end counts as two groups.
  const tailLength = tail.length + (tail.at(-1)?.includes('.') === true ? 1 : 0);
  const zeros = end === undefined ? 0 : 8 - groups.length - tailLength;
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...tail];
  const network = all.slice(0, NETWORK_GROUPS).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}
