import { describe, expect, test } from 'vitest';
import { buildHeaderNames, findContentPath, isSwitchedOn, readHeader } from './delivery-request.ts';

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

describe('the names of the headers', () => {
  test('share the prefix, in lower case', () => {
    expect(buildHeaderNames('X-Brand')).toEqual({
      site: 'x-brand-site',
      simplePagination: 'x-brand-simple-pagination',
      language: 'x-brand-language',
      preview: 'x-brand-preview',
    });
  });
});

describe('a header', () => {
  test('that is empty counts as absent, and one that is repeated as a list', () => {
    expect(readHeader({}, 'x-site')).toBe(undefined);
    expect(readHeader({ 'x-site': '' }, 'x-site')).toBe(undefined);
    expect(readHeader({ 'x-site': 'a' }, 'x-site')).toBe('a');
    expect(readHeader({ 'x-site': ['a', 'b'] }, 'x-site')).toBe('a, b');
  });

  test.each(['true', '1', 'TRUE', 'True'])('switches on with %s', (value) => {
    expect(isSwitchedOn({ 'x-on': value }, 'x-on')).toBe(true);
  });

  test.each([undefined, '', 'false', '0', 'yes', 'on', '2', '11', 'true, true'])('stays off with %s', (value) => {
    expect(isSwitchedOn({ 'x-on': value }, 'x-on')).toBe(false);
  });
});
