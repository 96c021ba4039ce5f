import { expect, test } from 'vitest';
import { completeLink } from './complete-link.ts';

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
])('%j becomes %j', (typed, address) => {
  expect(completeLink(typed)).toBe(address);
});
