import { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { buildRequest } from '../http/request.fixture.ts';
import { buildHeaderNames, type DeliveryRequest, findContentPath, parseDeliveryRequest } from './delivery-request.ts';

describe('a delivery API path', () => {
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
  ])('is passed to the router if it is %j', (url) => {
    expect(findContentPath(url)).toBeUndefined();
  });
});

describe('header names', () => {
  test('share the prefix, in lower case', () => {
    expect(buildHeaderNames('X-Brand')).toEqual({
      site: 'x-brand-site',
      simplePagination: 'x-brand-simple-pagination',
      language: 'x-brand-language',
      preview: 'x-brand-preview',
      sourceMap: 'x-brand-source-map',
    });
  });
});

function parse(headers: Readonly<Record<string, string | string[]>>): DeliveryRequest | undefined {
  const request = buildRequest({});
  Object.assign(request.headers, { authorization: 'Bearer gk_a', ...headers });
  const rules = { headerNames: buildHeaderNames('X'), readBaseUrl: () => 'http://localhost' };
  return parseDeliveryRequest(request, new ServerResponse(request), null, rules);
}

describe('a header', () => {
  test('counts as absent if it is empty, and as a list if it is repeated', () => {
    expect(parse({})?.siteId).toBe('');
    expect(parse({ 'x-site': '', 'x-language': '' })).toMatchObject({ siteId: '', language: undefined });
    expect(parse({ 'x-site': 'a', 'x-language': 'fr' })).toMatchObject({ siteId: 'a', language: 'fr' });
    expect(parse({ 'x-site': ['a', 'b'] })?.siteId).toBe('a, b');
  });

  test.each(['true', '1', 'TRUE', 'True'])('counts as true if its value is %s', (value) => {
    expect(parse({ 'x-preview': value })?.wantsNewest).toBe(true);
    expect(parse({ 'x-simple-pagination': value })?.kind).toBe('pages');
  });

  test.each(['', 'false', '0', 'yes', 'on', '2', '11', 'true, true'])('counts as false if its value is %j', (value) => {
    expect(parse({ 'x-preview': value })?.wantsNewest).toBe(false);
    expect(parse({ 'x-simple-pagination': value })?.kind).toBe('cursors');
  });
});

describe('the API key', () => {
  test.each([
    ['Bearer gk_a', 'gk_a'],
    ['bearer  gk_a ', 'gk_a'],
    ['BEARER gk_b', 'gk_b'],
  ])('is read from %j as %s', (authorization, token) => {
    expect(parse({ authorization })?.token).toBe(token);
  });

  test.each(['', 'Bearer', 'Bearer ', 'Basic gk_a', 'gk_a', 'Bearer gk_a gk_b', `Bearer ${'x'.repeat(513)}`])(
    'is missing from %j',
    (authorization) => {
      expect(parse({ authorization })).toBeUndefined();
    },
  );
});
