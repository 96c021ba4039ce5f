import { describe, expect, test } from 'vitest';
import { ProblemError } from '../../http/problems.ts';
import { type Attempt, PasswordThrottle } from './password-throttle.ts';

const EMAIL = 'ada@example.com';

function buildAttempt(index: number, parts: Partial<Attempt> = {}): Attempt {
  const address = `10.0.${Math.floor(index / 250)}.${index % 250}`;
  return { email: EMAIL, address, knownBy: undefined, setHeader: () => {}, ...parts };
}

/** A throttle that records its delays. Each delay ends when `delay` resolves. */
function openThrottle(delay: Promise<void> = Promise.resolve()) {
  const delays: number[] = [];
  const throttle = new PasswordThrottle((ms) => {
    delays.push(ms);
    return delay;
  });
  const fail = (attempt: Attempt) => throttle.try(attempt, async () => undefined);
  return { throttle, delays, fail };
}

const readProblem = (error: unknown) => (error instanceof ProblemError ? error.problem : error);

describe('attempts on one account', () => {
  test('are delayed longer each time, up to five seconds, whatever address they come from', async () => {
    const { delays, fail } = openThrottle();
    for (let index = 0; index < 40; index++) await fail(buildAttempt(index));
    expect(delays.slice(0, 7)).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    expect(delays).toHaveLength(35);
    expect(new Set(delays.slice(6))).toEqual(new Set([5000]));
  });

  test('are no longer delayed after the correct password has been given', async () => {
    const { throttle, delays, fail } = openThrottle();
    for (let index = 0; index < 6; index++) await fail(buildAttempt(index));
    await throttle.try(buildAttempt(6), async () => 'in');
    expect(delays).toEqual([250, 500]);
    await fail(buildAttempt(7));
    expect(delays).toEqual([250, 500]);
  });

  test.each(['device', 'session'] as const)('are neither delayed nor counted with a known %s', async (kind) => {
    const { delays, fail } = openThrottle();
    const knownBy = { kind, id: 'one' };
    for (let index = 0; index < 10; index++) await fail(buildAttempt(0, { knownBy }));
    expect(delays).toEqual([]);
    for (let index = 0; index < 5; index++) await fail(buildAttempt(0));
    expect(delays).toEqual([]);
  });

  test('are refused once the limit for a session is reached, but count as attempts by strangers once the limit for a device is reached', async () => {
    const { fail } = openThrottle();
    for (const kind of ['device', 'session'] as const) {
      for (let index = 0; index < 10; index++) await fail(buildAttempt(0, { knownBy: { kind, id: kind } }));
    }
    await fail(buildAttempt(0, { knownBy: { kind: 'device', id: 'device' } }));
    const refused = await fail(buildAttempt(0, { knownBy: { kind: 'session', id: 'session' } })).catch(readProblem);
    expect(refused).toMatchObject({ status: 429, headers: { ratelimit: expect.stringMatching(/^"session";r=0;t=/) } });
  });
});

describe('too many simultaneous attempts', () => {
  test('are refused if they would have to wait, and are not counted', async () => {
    const end = Promise.withResolvers<void>();
    const { throttle, fail } = openThrottle(end.promise);
    const tries = Array.from({ length: 400 }, (_, index) => fail(buildAttempt(index)).catch(readProblem));
    const others = await Promise.all([
      throttle.try(buildAttempt(0, { email: 'bob@example.com' }), async () => 'in'),
      throttle.try(buildAttempt(0, { knownBy: { kind: 'device', id: 'one' } }), async () => 'in'),
    ]);
    expect(others).toEqual(['in', 'in']);
    end.resolve();
    const refused = (await Promise.all(tries)).filter((outcome) => outcome !== undefined);
    expect(refused).toHaveLength(400 - 105);
    for (const problem of refused) expect(problem).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
  });

  test('leave room for delayed and immediate attempts from addresses without failures', async () => {
    const delay = Promise.withResolvers<void>();
    const checks = Promise.withResolvers<void>();
    const { throttle, fail } = openThrottle(delay.promise);
    // Each of these addresses has a failed attempt on a different account.
    for (let index = 0; index < 200; index++) await fail(buildAttempt(index, { email: `${index}@example.com` }));
    const flood = Array.from({ length: 200 }, (_, index) => [
      fail(buildAttempt(index)).catch(readProblem),
      throttle
        .try(buildAttempt(index, { email: `other-${index}@example.com` }), () => checks.promise.then(() => undefined))
        .catch(readProblem),
    ]);
    const newcomers = ['ada@example.com', 'eve@example.com'].map((email, index) =>
      throttle.try(buildAttempt(1000 + index, { email }), async () => 'in'),
    );
    delay.resolve();
    checks.resolve();
    expect(await Promise.all(newcomers)).toEqual(['in', 'in']);
    const refused = (await Promise.all(flood.flat())).filter((outcome) => outcome !== undefined);
    // The first five attempts on Ada's account are not delayed, so they are checked immediately.
    const count = (wait: string) =>
      refused.filter((problem) => JSON.stringify(problem).includes(`"retry-after":"${wait}"`)).length;
    expect([count('5'), count('1')]).toEqual([200 - 50 - 5, 200 - (32 - 5)]);
  });

  test('are refused if too many are being checked', async () => {
    const { throttle } = openThrottle();
    const end = Promise.withResolvers<void>();
    const attempt = (index: number) =>
      throttle.try(buildAttempt(index, { email: `${index}@example.com` }), () => end.promise.then(() => 'in'));
    const tries = Array.from({ length: 70 }, (_, index) => attempt(index).catch(readProblem));
    end.resolve();
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((outcome) => outcome === 'in')).toHaveLength(64);
    expect(outcomes.at(-1)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  });
});

test('remembers a limited number of addresses', async () => {
  const { fail } = openThrottle();
  for (let index = 0; index < 11_000; index++) {
    await fail(buildAttempt(0, { email: `${index}@example.com`, address: `2001:db8:${index.toString(16)}::1` }));
  }
  // The first address has been forgotten, so all its attempts are available again.
  const headers = new Map<string, string>();
  const setHeader = (name: string, value: string) => headers.set(name, value);
  await fail(buildAttempt(0, { address: '2001:db8:0::1', setHeader }));
  expect(headers.get('ratelimit')).toMatch(/^"address";r=99;/);
});
