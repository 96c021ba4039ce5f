import { describe, expect, test } from 'vitest';
import { buildLimitHeaders, refuseExceeded } from '../http/limiter.ts';
import { RateLimit } from './rate-limit.ts';

describe('the rate limit', () => {
  test('lets as many requests pass as a key has, and refuses the next with what the client needs to know', async () => {
    const limit = new RateLimit(0);
    for (const left of [2, 1, 0]) {
      const passed = await limit.spend('k_1', 3);
      expect(passed).toMatchObject({ left, isExceeded: false });
      expect(buildLimitHeaders([passed])).toEqual({
        ratelimit: `"key";r=${left};t=${passed.seconds}`,
        'ratelimit-policy': '"key";q=3;w=60',
      });
    }
    const tally = await limit.spend('k_1', 3);
    expect(tally).toMatchObject({ left: 0, isExceeded: true });
    expect(tally.seconds).toBeGreaterThanOrEqual(1);
    expect(tally.seconds).toBeLessThanOrEqual(60);
    expect(refuseExceeded(tally)).toEqual({
      status: 429,
      message: 'Too many requests.',
      headers: {
        'retry-after': String(tally.seconds),
        ratelimit: `"key";r=0;t=${tally.seconds}`,
        'ratelimit-policy': '"key";q=3;w=60',
      },
    });
  });

  test('counts each key on its own', async () => {
    const limit = new RateLimit(1);
    expect((await limit.spend('k_1', null)).isExceeded).toBe(false);
    expect((await limit.spend('k_2', null)).isExceeded).toBe(false);
    expect((await limit.spend('k_1', null)).isExceeded).toBe(true);
  });

  test('is the key’s own where it has one, else the server’s, and none where both are silent', () => {
    expect(new RateLimit(0).limits(null)).toBe(false);
    expect(new RateLimit(0).limits(5)).toBe(true);
    expect(new RateLimit(7).limits(null)).toBe(true);
    expect(new RateLimit(7).limits(0)).toBe(false);
  });
});
