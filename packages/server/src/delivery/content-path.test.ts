import { describe, expect, test } from 'vitest';
import { findContentPath } from './content-path.ts';

describe('the paths of the delivery API', () => {
  test.each([
    ['/api/v1/content', null],
    ['/api/v1/content?', null],
    ['/api/v1/content?a=/b', null],
    ['/api/v1/content/c_1', 'c_1'],
    ['/api/v1/content/c-1?x=/y?z', 'c-1'],
  ])('%s is found', (url, id) => {
    expect(findContentPath(url)).toEqual({ id });
  });

  test.each([
    '/api/v1/content/',
    '/api/v1/content/?a=1',
    '/api/v1/content/c_1/',
    '/api/v1/content/c_1/x',
    '/api/v1/content/c%5F1',
    '/api/v1/content/c_1#x',
    '/api/v1/content#x',
    '/api/v1/contents',
    '/api/v1/Content',
    '/api/v1',
    '/',
    '',
  ])('%j is left to the router', (url) => {
    expect(findContentPath(url)).toBeUndefined();
  });
});
