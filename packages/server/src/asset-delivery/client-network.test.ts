import { expect, test } from 'vitest';
import { findNetwork } from './client-network.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s belongs to %s', (address, network) => {
  expect(findNetwork(address)).toBe(network);
});
