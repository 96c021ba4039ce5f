// Where the service logs to: JSON lines for machines, or on a terminal a line that a person can read.

import { destination, type Logger } from 'pino';
import { createLogger } from '../http/create-logger.ts';
import type { LogLevel } from '../settings.ts';
import { createPaint } from './paint.ts';
import { renderLogLine } from './render-log-line.ts';

export function createServiceLog(level: LogLevel): Logger {
  const { stdout } = process;
  // Written at once: the process ends right after its last lines, which must not change places. A log that is written
  // later would also keep the process from ending for ever, should its reader have gone (sonic-boom, flushSync).
  if (!stdout.isTTY) return createLogger(level, destination({ dest: stdout.fd, sync: true }));
  const paint = createPaint(stdout);
  return createLogger(level, { write: (line: string) => void stdout.write(`${renderLogLine(line, paint)}\n`) });
}
