import { describe, expect, test } from 'vitest';
import { CommandFailure } from './command-failure.ts';
import { isLoopback, translateListenError } from './listening.ts';

describe('listening', () => {
  test.each([
    ['127.0.0.1', true],
    ['127.8.0.1', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.0.1', false],
    ['127.0.0.1.example', false],
  ])('on %s is limited to this machine: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });

  test('suggests the right option for a listen error, and leaves other errors unchanged', () => {
    const place = { host: '127.0.0.1', port: 80 };
    const denied = translateListenError(Object.assign(new Error('listen'), { code: 'EACCES' }), place);
    expect(denied).toBeInstanceOf(CommandFailure);
    expect(denied).toHaveProperty(
      'message',
      expect.stringMatching(/^No permission to use port 80 on 127\.0\.0\.1: .*--port/),
    );
    const bug = new TypeError('x is not a function');
    expect(translateListenError(bug, place)).toBe(bug);
  });
});
