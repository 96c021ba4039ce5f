import { describe, expect, test } from 'vitest';
import { mayReadDemoAccess } from './demo-access.ts';

const page = { host: '127.0.0.1:3000', 'sec-fetch-site': 'same-origin' };

describe('the key of the demo', () => {
  test.each(['127.0.0.1:3000', '127.0.0.1', 'localhost:3000', 'LOCALHOST', '[::1]:3000'])(
    'is given to a page that was loaded from %s',
    (host) => {
      expect(mayReadDemoAccess({ ...page, host })).toBe(true);
    },
  );

  test.each([
    'demo.example.com',
    'localhost.example.com',
    '127.0.0.1.example.com',
    '192.168.1.4:3000',
    '[::]:3000',
    '',
  ])('is not given to the host %j', (host) => {
    expect(mayReadDemoAccess({ ...page, host })).toBe(false);
  });

  test.each(['cross-site', 'same-site', 'none', undefined])('is not given to a request that is %s', (site) => {
    expect(mayReadDemoAccess({ ...page, 'sec-fetch-site': site })).toBe(false);
  });

  test.each(['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'])(
    'is not given through a proxy that sends %s',
    (name) => {
      expect(mayReadDemoAccess({ ...page, [name]: '10.0.0.1' })).toBe(false);
    },
  );
});
