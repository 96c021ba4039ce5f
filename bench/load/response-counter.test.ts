import { expect, test } from 'vitest';
import { ResponseCounter } from './response-counter.ts';

const FULL = `HTTP/1.1 200 OK\r\nContent-Length: 12\r\nx: y\r\n\r\nhello\r\n\r\nabc`;
const UNCHANGED = 'HTTP/1.1 304 Not Modified\r\netag: "a"\r\n\r\n';

test.each([1, 2, 3, 7, 50, 1000])('counts the same number of responses in chunks of %d bytes', (size) => {
  const bytes = Buffer.from(`${FULL}${UNCHANGED}${FULL}`);
  const counter = new ResponseCounter();
  let whole = 0;
  for (let at = 0; at < bytes.length; at += size) whole += counter.count(bytes.subarray(at, at + size));
  expect(whole).toBe(3);
});

test('does not count a response before its last byte arrives', () => {
  const counter = new ResponseCounter();
  expect(counter.count(Buffer.from(FULL.slice(0, -1)))).toBe(0);
  expect(counter.count(Buffer.from(FULL.slice(-1)))).toBe(1);
});

test('rejects a response whose head never ends', () => {
  expect(() => new ResponseCounter().count(Buffer.alloc(9000, 'a'))).toThrow('The response head is too long');
});

test('rejects an error response', () => {
  const failed = 'HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\n{}';
  expect(() => new ResponseCounter().count(Buffer.from(failed))).toThrow('500 Internal Server Error');
});
