import { expect, test } from 'vitest';
import { resolveLink, resolvePicture } from './resolve-link.ts';

const SITE = 'https://press.example/en';

test.each([
  ['https://ink.example/a?b#c', 'https://ink.example/a?b#c'],
  ['http://ink.example', 'http://ink.example/'],
  ['mailto:ada@ink.example', 'mailto:ada@ink.example'],
  ['tel:+4912345', 'tel:+4912345'],
  ['/blog/ink', 'https://press.example/en/blog/ink'],
  ['#black', 'https://press.example/en#black'],
  ['javascript:alert(1)', undefined],
  [' JavaScript:alert(1)', undefined],
  ['java\nscript:alert(1)', undefined],
  ['data:text/html,<script>alert(1)</script>', undefined],
  ['vbscript:x', undefined],
  ['file:///etc/passwd', undefined],
  ['blob:https://press.example/1', undefined],
  ['http://[', undefined],
])('a link to %j leads to %j', (address, expected) => {
  expect(resolveLink(address, SITE)).toBe(expected);
});

test.each([
  ['https://ink.example/a.png', 'https://ink.example/a.png'],
  ['/a.png', 'https://press.example/en/a.png'],
  ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
  ['data:text/html,x', undefined],
  ['mailto:ada@ink.example', undefined],
  ['javascript:alert(1)', undefined],
])('a picture at %j is loaded from %j', (address, expected) => {
  expect(resolvePicture(address, SITE)).toBe(expected);
});

test('without an address of the site, its own paths lead nowhere, and never into the panel', () => {
  for (const address of ['/blog/ink', 'ink', '#black', '', '//ink.example']) {
    expect([address, resolveLink(address, null), resolvePicture(address, null)]).toEqual([
      address,
      undefined,
      undefined,
    ]);
  }
});
