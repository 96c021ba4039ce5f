import { describe, expect, test } from 'vitest';
import { buildHeaderNames, isSwitchedOn, readHeader } from './delivery-headers.ts';

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
