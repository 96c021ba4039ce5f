import { describe, expect, test } from 'vitest';
import { isJsonObject } from './json-object.ts';

describe('a JSON object', () => {
  test.each([{}, { a: 1 }, Object.create(null)])('is %j', (value) => {
    expect(isJsonObject(value)).toBe(true);
  });

  test.each([null, undefined, [], 'text', 1, true])('is not %j', (value) => {
    expect(isJsonObject(value)).toBe(false);
  });
});
