import { expect, test } from 'vitest';
import { isOfType } from './site.ts';

test('identifies the content type of an object by its handle', () => {
  const object = { content_type: { handle: 'article' } };
  expect(isOfType(object, 'article')).toBe(true);
  expect(isOfType(object, 'page')).toBe(false);
});
