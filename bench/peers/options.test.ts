import { expect, test } from 'vitest';
import { parsePeerOptions } from './options.ts';

test('measures all peers on 10,000 articles by default', () => {
  const options = parsePeerOptions([]);
  expect(options).toMatchObject({ articles: 10_000, rounds: 3, isPartial: false });
  expect(options === 'help' ? [] : options.peers.map(({ name }) => name)).toEqual(['Payload', 'Strapi', 'Directus']);
});

test('measures only the named peers', () => {
  const options = parsePeerOptions(['--only', 'strapi,payload']);
  expect(options).toMatchObject({ isPartial: true });
  expect(options === 'help' ? [] : options.peers.map(({ name }) => name)).toEqual(['Strapi', 'Payload']);
});

test.each([
  [['--only', 'wordpress'], '--only must name payload, strapi, directus, not wordpress.'],
  [['--only', 'strapi', '--write-docs'], '--write-docs requires a complete run'],
  [['--articles', '30'], '--articles must be a multiple of 40.'],
  [['--rounds', '0'], '--rounds must be a whole number of at least 1, not 0.'],
])('rejects %j', (args, message) => {
  expect(() => parsePeerOptions(args)).toThrow(message);
});
