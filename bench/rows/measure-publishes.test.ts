import { expect, test } from 'vitest';
import { rotateWords } from './measure-publishes.ts';

test('returns a different name of the same length', () => {
  expect(rotateWords('Slow press carries')).toBe('press carries Slow');
});
