import { expect, test } from 'vitest';
import type { ClientOptions } from './client-options.ts';
import { parseOptions } from './parse-options.ts';

const RIGHT: ClientOptions = { apiURL: 'https://content.example/api/v1', apiKey: 'k_secret', siteId: 's_1' };

/** Values that untyped code may pass. */
function withWrong(members: object): ClientOptions {
  return Object.assign({ ...RIGHT }, members);
}

test.each([
  ['https://content.example/api/v1', 'https://content.example/api/v1'],
  ['https://content.example/api/v1/', 'https://content.example/api/v1'],
  ['https://content.example/api/v1///', 'https://content.example/api/v1'],
  [' https://content.example/api/v1\n', 'https://content.example/api/v1'],
  ['https://content.example', 'https://content.example/api/v1'],
  ['HTTPS://Content.Example/', 'https://content.example/api/v1'],
  ['http://localhost:3000', 'http://localhost:3000/api/v1'],
  ['http://[::1]:3000/', 'http://[::1]:3000/api/v1'],
  ['https://example.com/cms/api/v1', 'https://example.com/cms/api/v1'],
  ['https://example.com//twice', 'https://example.com//twice'],
  ['https://example.com/content/v1', 'https://example.com/content/v1'],
  ['https://example.com/api/my-content', 'https://example.com/api/my-content'],
  ['https://example.com/contents/', 'https://example.com/contents'],
  ['https://bücher.example/inhalt', 'https://xn--bcher-kva.example/inhalt'],
])('reads %s as the root %s', (apiURL, root) => {
  expect(parseOptions({ ...RIGHT, apiURL }).root).toBe(root);
});

const ADDRESS = 'apiURL must be the root of the API, such as https://content.example/api/v1, without /content.';

test.each([
  [{ apiKey: undefined }, 'Missing: apiKey. Check the environment variables.'],
  [{ apiKey: '' }, 'Missing: apiKey. Check the environment variables.'],
  [{ apiKey: null }, 'Missing: apiKey. Check the environment variables.'],
  [{ siteId: undefined }, 'Missing: siteId. Check the environment variables.'],
  [{ siteId: '' }, 'Missing: siteId. Check the environment variables.'],
  [{ apiURL: undefined }, 'Missing: apiURL. Check the environment variables.'],
  [{ apiURL: '' }, 'Missing: apiURL. Check the environment variables.'],
  [
    { apiURL: '', apiKey: undefined, siteId: null },
    'Missing: apiURL, apiKey, siteId. Check the environment variables.',
  ],
])('reports missing options: %j', (members, message) => {
  expect(() => parseOptions(withWrong(members))).toThrow(new TypeError(message));
});

test.each([[], [null]])('lists all required options if none are given', (...options) => {
  const message = 'Missing: apiURL, apiKey, siteId. Check the environment variables.';
  expect(() => Reflect.apply(parseOptions, undefined, options)).toThrow(new TypeError(message));
});

test.each([
  ['apiURL', 5, ADDRESS],
  ['apiURL', ' ', ADDRESS],
  ['apiURL', 'https://content.example/api/v1/content', ADDRESS],
  ['apiURL', 'https://content.example/api/v1/content/', ADDRESS],
  ['apiURL', 'https://content.example/api/v1/content//', ADDRESS],
  ['apiURL', 'https://content.example/content', ADDRESS],
  ['apiURL', '/api/v1', ADDRESS],
  ['apiURL', 'localhost:3000', ADDRESS],
  ['apiURL', 'ftp://content.example', ADDRESS],
  ['apiURL', 'https://', ADDRESS],
  ['apiURL', 'https://a b.example', ADDRESS],
  ['apiURL', 'https://me:k_secret@content.example', ADDRESS],
  ['apiURL', 'https://content.example/?key=k_secret', ADDRESS],
  ['apiURL', 'https://content.example/#here', ADDRESS],
  ['apiKey', ' ', 'apiKey must be ASCII without spaces.'],
  ['apiKey', 12345, 'apiKey must be ASCII without spaces.'],
  ['apiKey', 'k_secret\n', 'apiKey must be ASCII without spaces.'],
  ['apiKey', 'Bearer k_secret', 'apiKey must be ASCII without spaces.'],
  ['siteId', 's 1', 'siteId must be ASCII without spaces.'],
  ['language', '', 'language must be ASCII without spaces.'],
  ['language', 'de\r\n', 'language must be ASCII without spaces.'],
  ['headerPrefix', '', 'headerPrefix must be ASCII without spaces.'],
  ['headerPrefix', 'X Y', 'headerPrefix must be ASCII without spaces.'],
  ['timeout', Number.NaN, 'timeout must be false or at least 0.'],
  ['timeout', -5, 'timeout must be false or at least 0.'],
  ['timeout', 'abc', 'timeout must be false or at least 0.'],
  ['timeout', true, 'timeout must be false or at least 0.'],
  ['isPreview', 'true', 'isPreview must be true or false.'],
  ['simplePagination', 1, 'simplePagination must be true or false.'],
  ['fallbackDefaultLanguage', 'false', 'fallbackDefaultLanguage must be true or false.'],
  ['fetch', 'x', 'fetch must be a function.'],
  ['store', 'x', 'store must be an AnswerStore.'],
  ['store', {}, 'store must be an AnswerStore.'],
  ['store', { get: () => undefined }, 'store must be an AnswerStore.'],
])('refuses %s: %j', (name, value, message) => {
  const parse = () => parseOptions(withWrong({ [name]: value }));
  expect(parse).toThrow(TypeError);
  expect(parse).toThrow(message);
  expect(parse).not.toThrow('k_secret');
});

test('treats undefined options as omitted', () => {
  const names = ['headerPrefix', 'language', 'timeout', 'isPreview', 'fetch', 'store', 'fetchOptions', 'retry'];
  const given = Object.fromEntries(names.map((name) => [name, undefined]));
  expect(parseOptions({ ...RIGHT, ...given }).headerPrefix).toBe('X-SERVICE');
});
