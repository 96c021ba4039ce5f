import { describe, expect, test } from 'vitest';
import { createProxyTrust, type TrustedProxies } from './proxy-trust.ts';
import { buildRequest } from './request.fixture.ts';

function readAddress(trusted: TrustedProxies, peer: string, forwardedFor?: string): string {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return createProxyTrust(trusted).readAddress(buildRequest(headers, peer));
}

const CLIENT = '203.0.113.9';
const PRIVATE = ['10.0.0.0/8', 'fc00::/7'];

describe("the client's address", () => {
  test.each<[TrustedProxies, string, string | undefined, string]>([
    // Nobody is trusted.
    [0, CLIENT, undefined, CLIENT],
    [0, CLIENT, '198.51.100.1', CLIENT],
    // A proxy that appends: the client invented whatever stands to the left.
    [1, '10.0.0.1', CLIENT, CLIENT],
    [1, '10.0.0.1', `198.51.100.1, ${CLIENT}`, CLIENT],
    [1, '10.0.0.1', `198.51.100.1,,, 8.8.8.8 ,${CLIENT}`, CLIENT],
    [1, '10.0.0.1', undefined, '10.0.0.1'],
    [2, '10.0.0.1', `198.51.100.1, ${CLIENT}, 10.0.0.2`, CLIENT],
    // Fewer proxies than there should be.
    [3, '10.0.0.1', `${CLIENT}, 10.0.0.2`, CLIENT],
    // By networks, as many as are in them.
    [PRIVATE, '10.0.0.1', `198.51.100.1, ${CLIENT}, 10.9.9.9, fd00::7`, CLIENT],
    [PRIVATE, CLIENT, '198.51.100.1', CLIENT],
    [PRIVATE, '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    [PRIVATE, '::ffff:10.0.0.1', CLIENT, CLIENT],
    [['::1/128'], '::1', '2001:db8::1', '2001:db8::1'],
  ])('with trust in %j of a request from %s for %s is %s', (trusted, peer, forwardedFor, address) => {
    expect(readAddress(trusted, peer, forwardedFor)).toBe(address);
  });

  test.each([
    ['203.0.113.9:4711', CLIENT],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:203.0.113.9', CLIENT],
    [`fe80::1%${'x'.repeat(200)}`, 'fe80::1'],
    [`  ${CLIENT}\t`, CLIENT],
    [`${CLIENT}, ,`, CLIENT],
  ])('is understood as %j', (written, address) => {
    expect(readAddress(1, '10.0.0.1', written)).toBe(address);
  });

  test.each([
    '',
    ',',
    ', ,',
    'unknown',
    '_hidden',
    'unix:',
    'evil.example',
    '999.1.1.1',
    '203.0.113.9:port',
    '[2001:db8::1',
    '<script>',
    `${CLIENT} ${CLIENT}`,
    '0x7f.1',
  ])('is the one of the proxy where that says %j', (written) => {
    expect(readAddress(1, '10.0.0.1', written)).toBe('10.0.0.1');
  });

  test('takes no longer to read from a megabyte of inventions', () => {
    const inventions = ['1.2.3.4,', ' ,', '10.0.0.1, ', '['].map((part) => part.repeat(1_000_000 / part.length));
    for (const invented of inventions) {
      const before = process.threadCpuUsage();
      expect(readAddress(1, '10.0.0.1', `${invented}, ${CLIENT}`)).toBe(CLIENT);
      expect(readAddress(PRIVATE, '10.0.0.1', `${invented}, ${CLIENT}`)).toBe(CLIENT);
      // CPU time in microseconds, which other programs do not change.
      expect(process.threadCpuUsage(before).user).toBeLessThan(200_000);
    }
  });

  test('is empty where the connection is gone', () => {
    expect(readAddress(0, '')).toBe('');
  });
});
