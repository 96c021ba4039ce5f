import { describe, expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

describe('the rate limit', () => {
  test('lets as many requests pass as a key has, and refuses the next with what the client needs to know', async () => {
    const limit = new RateLimit(0);
    for (let spent = 0; spent < 3; spent++) expect(await limit.spend('k_1', 3)).toBe(undefined);
    const refusal = await limit.spend('k_1', 3);
    expect(refusal).toMatchObject({ status: 429, message: 'Too many requests.' });
    const seconds = Number(refusal?.headers?.['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refusal?.headers).toMatchObject({
      ratelimit: `"key";r=0;t=${seconds}`,
      'ratelimit-policy': '"key";q=3;w=60',
    });
  });

  test('counts each key on its own', async () => {
    const limit = new RateLimit(1);
    expect(await limit.spend('k_1', null)).toBe(undefined);
    expect(await limit.spend('k_2', null)).toBe(undefined);
    expect(await limit.spend('k_1', null)).toMatchObject({ status: 429 });
  });

  test('is the key’s own where it has one, else the server’s, and none where both are silent', () => {
    expect(new RateLimit(0).limits(null)).toBe(false);
    expect(new RateLimit(0).limits(5)).toBe(true);
    expect(new RateLimit(7).limits(null)).toBe(true);
    expect(new RateLimit(7).limits(0)).toBe(false);
  });
});
