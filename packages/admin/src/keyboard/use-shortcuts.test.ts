import { expect, test } from 'vitest';
import { isOneKey } from './use-shortcuts.ts';

test.each(['N', '/', 'shift+?'])('%s is a single key', (keys) => {
  expect(isOneKey(keys)).toBe(true);
});

test.each(['mod+S', 'mod+Enter', 'Enter', 'alt+N'])('%s is not', (keys) => {
  expect(isOneKey(keys)).toBe(false);
});
