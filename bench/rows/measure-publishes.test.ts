import { expect, test } from 'vitest';
import { rotateWords } from './measure-publishes.ts';

test('gives another name of the same length', () => {
  expect(rotateWords('Slow press carries')).toBe('press carries Slow');
});
