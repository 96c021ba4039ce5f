import { expect, test } from 'vitest';
import { type ClientOptions, parseOptions } from './client-options.ts';

const RIGHT: ClientOptions = { apiURL: 'https://content.example/api/v1', apiKey: 'k_secret', siteId: 's_1' };

/** What a program without types may pass. */
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
  ['https://bücher.example/inhalt', 'https://xn--bcher-kva.example/inhalt'],
])('takes %s for the root %s', (apiURL, root) => {
  expect(parseOptions({ ...RIGHT, apiURL }).root).toBe(root);
});

test.each([
  ['apiURL', undefined, 'apiURL is undefined; a string that is not empty is needed.'],
  ['apiURL', '', 'apiURL is empty; a string that is not empty is needed.'],
  ['apiURL', new URL('https://content.example'), 'apiURL is object; a string that is not empty is needed.'],
  ['apiURL', '/api/v1', 'apiURL (/api/v1) is no address of an API root, such as'],
  ['apiURL', 'localhost:3000', 'apiURL (localhost:3000) is no address'],
  ['apiURL', 'ftp://content.example', 'apiURL (ftp://content.example) is no address'],
  ['apiURL', 'https://', 'apiURL (https://) is no address'],
  ['apiURL', 'https://a b.example', 'apiURL (https://a b.example) is no address'],
  ['apiURL', 'https://me:k_secret@content.example', 'apiURL is no address'],
  ['apiURL', 'https://content.example/?key=k_secret', 'apiURL is no address'],
  ['apiURL', 'https://content.example/#here', 'apiURL (https://content.example/#here) is no address'],
  ['apiKey', undefined, 'apiKey is undefined; a string that is not empty is needed.'],
  ['apiKey', '', 'apiKey is empty; a string that is not empty is needed.'],
  ['apiKey', 12345, 'apiKey is number; a string that is not empty is needed.'],
  ['apiKey', 'k_secret\n', 'apiKey holds white space or characters other than ASCII.'],
  ['apiKey', 'Bearer k_secret', 'apiKey holds white space or characters other than ASCII.'],
  ['siteId', undefined, 'siteId is undefined; a string that is not empty is needed.'],
  ['siteId', 's 1', 'siteId holds white space or characters other than ASCII.'],
  ['language', '', 'language is empty; a string that is not empty is needed.'],
  ['language', 'de\r\n', 'language holds white space or characters other than ASCII.'],
  ['headerPrefix', '', 'headerPrefix is empty; a string that is not empty is needed.'],
  ['headerPrefix', 'X:Y', 'headerPrefix is X:Y; letters, digits, _ and - are allowed.'],
])('refuses %s: %j', (name, value, message) => {
  const parse = () => parseOptions(withWrong({ [name]: value }));
  expect(parse).toThrow(TypeError);
  expect(parse).toThrow(message);
  expect(parse).not.toThrow('k_secret');
});
