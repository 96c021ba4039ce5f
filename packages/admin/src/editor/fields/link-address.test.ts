import { expect, test } from 'vitest';
import { completeLink, resolveLink, resolvePicture } from './link-address.ts';

test.each([
  ['example.org/x', 'https://example.org/x'],
  ['example.org', 'https://example.org'],
  [' www.example.org?a=b#c ', 'https://www.example.org?a=b#c'],
  ['example.org:8080/x', 'https://example.org:8080/x'],
  ['münchen.example/ä', 'https://münchen.example/ä'],
  ['//example.org/x', 'https://example.org/x'],
  ['ada@example.org', 'mailto:ada@example.org'],
  ['https://example.org/x', 'https://example.org/x'],
  ['http://example.org', 'http://example.org'],
  ['mailto:ada@example.org', 'mailto:ada@example.org'],
  ['tel:+49123', 'tel:+49123'],
  ['/path', '/path'],
  ['#anchor', '#anchor'],
  ['?page=2', '?page=2'],
  ['../up', '../up'],
  ['stories/ebb', 'stories/ebb'],
  ['about.html', 'about.html'],
  ['1.5', '1.5'],
])('turns %j into %j', (typed, address) => {
  expect(completeLink(typed)).toBe(address);
});

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
])('resolves the link %j to %j', (address, expected) => {
  expect(resolveLink(address, SITE)).toBe(expected);
});

test.each([
  ['https://ink.example/a.png', 'https://ink.example/a.png'],
  ['/a.png', 'https://press.example/en/a.png'],
  ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
  ['data:text/html,x', undefined],
  ['mailto:ada@ink.example', undefined],
  ['javascript:alert(1)', undefined],
])('resolves the picture URL %j to %j', (address, expected) => {
  expect(resolvePicture(address, SITE)).toBe(expected);
});

test('does not resolve paths without a site URL, because they would point to the panel', () => {
  for (const address of ['/blog/ink', 'ink', '#black', '', '//ink.example']) {
    expect([address, resolveLink(address, null), resolvePicture(address, null)]).toEqual([
      address,
      undefined,
      undefined,
    ]);
  }
});
