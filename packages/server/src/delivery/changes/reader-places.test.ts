import { expect, test } from 'vitest';
import { ReaderPlaces } from './reader-places.ts';

test('the number of readers is limited for each key and for the process, and another reader gets a place when one leaves', () => {
  const places = new ReaderPlaces({ perKey: 2, perProcess: 3 });
  const first = places.reserve('k_a');
  expect(places.reserve('k_a').ok).toBe(true);
  expect(places.reserve('k_a')).toMatchObject({
    ok: false,
    problem: { status: 429, headers: { 'retry-after': '10' } },
  });
  expect(places.reserve('k_b').ok).toBe(true);
  expect(places.reserve('k_b')).toMatchObject({
    ok: false,
    problem: { status: 503, headers: { 'retry-after': '10' } },
  });
  if (first.ok) first.value.release();
  expect(places.reserve('k_a').ok).toBe(true);
  expect(places.reserve('k_c')).toMatchObject({ ok: false, problem: { status: 503 } });
});
