import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Logger } from 'pino';
import { expect, test } from 'vitest';
import { createLogger } from './create-logger.ts';

async function readLog(level: string, write: (log: Logger) => void): Promise<string> {
  const destination = new PassThrough();
  write(createLogger(level, destination));
  destination.end();
  return text(destination);
}

test('a line is one JSON object with a readable time and level', async () => {
  const line = await readLog('info', (log) => log.info({ address: 'http://x' }, 'listening'));
  expect(JSON.parse(line)).toMatchObject({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    address: 'http://x',
    msg: 'listening',
  });
});

test.each<[string, (log: Logger) => void]>([
  ['a header list', (log) => log.info({ headers: { authorization: 'Bearer s3cret' } })],
  ['a request', (log) => log.info({ req: { headers: { authorization: 's3cret', cookie: 's3cret' } } })],
  ['a deep object', (log) => log.info({ a: { b: { c: { token: 's3cret' } } } })],
  ['a token', (log) => log.info({ token: 's3cret', key: { token: 's3cret' } })],
  ['a cookie', (log) => log.info({ 'set-cookie': 's3cret', headers: { 'set-cookie': ['s3cret'] } })],
  ['a child logger', (log) => log.child({ authorization: 's3cret' }).info('x')],
  ['a message', (log) => log.info('refused Bearer s3cret')],
  ['an error', (log) => log.error(new Error('header "Authorization: bearer s3cret" is too long'))],
  ['raw headers', (log) => log.info({ rawHeaders: ['Authorization', 'Bearer s3cret'] })],
])('%s does not show its secret', async (_name, write) => {
  const line = await readLog('info', write);
  expect(line).toContain('[redacted]');
  expect(line).not.toContain('s3cret');
  expect(() => JSON.parse(line)).not.toThrow();
});

test('silent says nothing', async () => {
  expect(await readLog('silent', (log) => log.fatal('x'))).toBe('');
});
