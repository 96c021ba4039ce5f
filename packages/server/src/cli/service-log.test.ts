import { describe, expect, test } from 'vitest';
import type { Paint } from './paint.ts';
import { renderLogLine } from './service-log.ts';

const plain: Paint = (_style, text) => text;

function render(entry: object): string {
  return renderLogLine(
    `${JSON.stringify({ time: '2026-01-02T03:04:05.678Z', pid: 1, hostname: 'h', ...entry })}\n`,
    plain,
  );
}

describe('renderLogLine', () => {
  test('includes the time of day, the message and its details', () => {
    expect(render({ level: 'info', msg: 'stopping', signal: 'SIGTERM', connections: 3 })).toMatch(
      /^ {2}\d\d:\d\d:05 {2}stopping {2}signal=SIGTERM {2}connections=3$/,
    );
  });

  test('includes the level only for warnings and errors', () => {
    expect(render({ level: 'warn', msg: 'cut off' })).toMatch(/:05 {2}warn {2}cut off$/);
    expect(render({ level: 'error', msg: 'failed' })).toMatch(/:05 {2}error {2}failed$/);
  });

  test("prints an error's stack on separate lines", () => {
    const text = render({ level: 'error', msg: 'failed', err: { message: 'no', stack: 'Error: no\n    at here' } });
    expect(text.split('\n').slice(1)).toEqual(['    Error: no', '        at here']);
  });

  test('removes control characters', () => {
    expect(render({ level: 'info', msg: 'request', url: '/\u001b[2J' })).toContain('url=/\ufffd[2J');
  });
});
