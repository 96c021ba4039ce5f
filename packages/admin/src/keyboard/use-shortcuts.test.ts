import { expect, test } from 'vitest';
import { isOneKey } from './use-shortcuts.ts';

test.each(['N', '/', 'shift+?'])('treats %s as a single key', (keys) => {
  expect(isOneKey(keys)).toBe(true);
});

test.each(['mod+S', 'mod+Enter', 'Enter', 'alt+N'])('does not treat %s as a single key', (keys) => {
  expect(isOneKey(keys)).toBe(false);
});
