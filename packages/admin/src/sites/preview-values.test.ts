import { expect, test } from 'vitest';
import { buildAddresses, createAddressDraft, hasNewOrigin, readAddresses } from './preview-values.ts';

const LOCAL = { id: 'pa_1', name: 'Local', address: 'http://localhost:4000', pattern: null, can_share: true };
const PATTERN = '{base}/preview?id={id}';
const LIVE = { id: 'pa_2', name: 'Live', address: 'https://example.com/blog', pattern: PATTERN, can_share: false };

test('sends back the addresses that it read', () => {
  const sent = [LOCAL, LIVE].map(({ can_share: _, ...address }) => address);
  expect(buildAddresses(readAddresses([LOCAL, LIVE]))).toEqual(sent);
});

test('sends a new address without an ID, and without spaces around its values', () => {
  const draft = { ...createAddressDraft(), name: ' Staging ', address: ' https://staging.example ', pattern: ' ' };
  expect(buildAddresses([draft])).toEqual([{ name: 'Staging', address: 'https://staging.example', pattern: null }]);
});

test('notices a new origin', () => {
  expect(hasNewOrigin([LOCAL], [LOCAL, LIVE])).toBe(true);
  expect(hasNewOrigin([LOCAL, LIVE], [{ ...LIVE, address: 'https://example.com' }])).toBe(false);
  expect(hasNewOrigin([LOCAL], [])).toBe(false);
});
