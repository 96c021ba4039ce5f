import { expect, test } from 'vitest';
import { createTargetRule } from './allowed-targets.ts';

test('only public addresses are allowed by default', () => {
  const isAllowed = createTargetRule([]);
  expect(isAllowed('8.8.8.8', 'hooks.example')).toBe(true);
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fe80::1', 'fd00::1', '::ffff:10.0.0.1']) {
    expect(isAllowed(address, 'hooks.example')).toBe(false);
  }
});

test('listing a network allows its addresses, and listing a host name allows all addresses of that host', () => {
  const isAllowed = createTargetRule(['hooks.internal', '10.0.0.0/8', '::1/128']);
  expect(isAllowed('192.168.0.1', 'hooks.internal')).toBe(true);
  expect(isAllowed('192.168.0.1', 'other.internal')).toBe(false);
  expect(isAllowed('10.1.2.3', 'other.internal')).toBe(true);
  expect(isAllowed('::1', 'other.internal')).toBe(true);
  expect(isAllowed('127.0.0.1', '127.0.0.1')).toBe(false);
  expect(isAllowed('::1%eth0', 'other.internal')).toBe(false);
});
