import { expect, test } from 'vitest';
import { parsePeerOptions } from './options.ts';

test('measures all peers on 10,000 articles unless told otherwise', () => {
  const options = parsePeerOptions([]);
  expect(options).toMatchObject({ articles: 10_000, rounds: 3, isPartial: false });
  expect(options === 'help' ? [] : options.peers.map(({ name }) => name)).toEqual(['Payload', 'Strapi', 'Directus']);
});

test('measures the peers that are named', () => {
  const options = parsePeerOptions(['--only', 'strapi,payload']);
  expect(options).toMatchObject({ isPartial: true });
  expect(options === 'help' ? [] : options.peers.map(({ name }) => name)).toEqual(['Strapi', 'Payload']);
});

test.each([
  [['--only', 'wordpress'], '--only must name payload, strapi, directus, not wordpress.'],
  [['--only', 'strapi', '--write-docs'], '--write-docs needs a whole run'],
  [['--articles', '30'], '--articles must be a multiple of 40.'],
  [['--rounds', '0'], '--rounds must be a whole number from 1 on, not 0.'],
])('refuses %j', (args, message) => {
  expect(() => parsePeerOptions(args)).toThrow(message);
});
