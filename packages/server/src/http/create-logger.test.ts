import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Logger } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLineWriter, createLogger } from './create-logger.ts';

async function readLog(level: string, write: (log: Logger) => void): Promise<string> {
  const destination = new PassThrough();
  write(createLogger(level, destination));
  destination.end();
  return text(destination);
}

test('writes each line as one JSON object with a readable time and level', async () => {
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
])('redacts the secret in %s', async (_name, write) => {
  const line = await readLog('info', write);
  expect(line).toContain('[redacted]');
  expect(line).not.toContain('s3cret');
  expect(() => JSON.parse(line)).not.toThrow();
});

test('logs nothing at the silent level', async () => {
  expect(await readLog('silent', (log) => log.fatal('x'))).toBe('');
});

describe('a log whose reader has stopped', () => {
  let folder: string;
  let fd: number;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'log-'));
    execFileSync('mkfifo', [join(folder, 'log')]);
    fd = openSync(join(folder, 'log'), constants.O_RDWR | constants.O_NONBLOCK);
  });

  afterAll(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });

  function readAll(): string {
    const chunk = Buffer.alloc(2 ** 20);
    try {
      return chunk.toString('utf8', 0, readSync(fd, chunk)) + readAll();
    } catch {
      return '';
    }
  }

  // The lines are too long for the pipe's buffer, so the first line that does not fit is written only in part.
  test('delays the process only once, drops whole lines, and logs how many it dropped', () => {
    const { write } = createLineWriter(fd);
    const writeLine = (number: number): void => write(`${JSON.stringify({ number, text: 'x'.repeat(9_000) })}\n`);
    using pause = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
    for (let number = 0; number < 100; number += 1) writeLine(number);
    // The first line that does not fit waits for one second, and no later line waits.
    const pausedMs = pause.mock.calls.map(([, , , ms]) => ms);
    expect(pausedMs).toEqual(Array.from({ length: 200 }, () => 5));
    const early = readAll();
    for (let number = 100; number < 103; number += 1) writeLine(number);
    const entries = `${early}${readAll()}`
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const numbers = entries.flatMap(({ number }) => number ?? []);
    const losses = entries.flatMap(({ lines }) => lines ?? []);
    expect(numbers.slice(-3)).toEqual([100, 101, 102]);
    expect(losses).toEqual([103 - numbers.length]);
    expect(losses[0]).toBeGreaterThan(80);
  });
});
