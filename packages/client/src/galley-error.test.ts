import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { codeOf, GalleyError, isGalleyError, isNotFound, isUnavailable } from './galley-error.ts';

test.each([
  [400, 'bad_request', false],
  [401, 'unauthenticated', false],
  [403, 'forbidden', false],
  [304, 'unreadable', false],
  [404, 'misconfigured', false],
  [405, 'refused', false],
  [410, 'refused', false],
  [422, 'invalid', false],
  [429, 'rate_limited', true],
  [500, 'server_error', false],
  [501, 'server_error', false],
  [502, 'unavailable', true],
  [503, 'unavailable', true],
  [504, 'unavailable', true],
  [599, 'server_error', false],
])('a %i response has the code %s (retryable: %s)', (status, code, retryable) => {
  const error = new GalleyError('No.', { code: codeOf(status), url: 'https://content.example', status });
  expect(error).toMatchObject({ code, retryable, status, name: 'GalleyError', message: 'No.' });
});

test('treats a 404 as missing content only if the message says so', () => {
  expect(codeOf(404, 'Content not found.')).toBe('not_found');
  expect(codeOf(404, 'Not found.')).toBe('misconfigured');
});

test('an error without a response has no status and is retryable', () => {
  for (const code of ['network', 'timeout'] as const) {
    const error = new GalleyError('No.', { code, url: '' });
    expect(error.retryable).toBe(true);
    expect(error.status).toBeUndefined();
  }
  expect(new GalleyError('No.', { code: 'unreadable', url: '' }).retryable).toBe(false);
});

test('recognises an error from another copy of the library', () => {
  class Copy extends Error {
    override readonly name = 'GalleyError';
    readonly code = 'not_found';
  }
  expect(isGalleyError(new Copy('No.'))).toBe(true);
  expect(isNotFound(new Copy('No.'))).toBe(true);
  expect(isUnavailable(new Copy('No.'))).toBe(false);
});

test('does not recognise any other error', () => {
  for (const other of [new Error('No.'), undefined, null, 'not_found', { name: 'GalleyError', code: 'not_found' }]) {
    expect(isGalleyError(other)).toBe(false);
    expect(isNotFound(other)).toBe(false);
  }
});

test('keeps the cause', () => {
  const cause = new Error('socket hang up');
  expect(new GalleyError('No.', { code: 'network', url: '', cause }).cause).toBe(cause);
});

test('has no cause property if there is no cause', () => {
  expect(new GalleyError('No.', { code: 'network', url: '' })).not.toHaveProperty('cause');
  expect(inspect(new GalleyError('No.', { code: 'network', url: '' }))).not.toContain('cause');
});
