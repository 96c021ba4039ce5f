// Where the service logs to: JSON lines for machines, or on a terminal a line that a person can read.

import type { Logger } from 'pino';
import { createLogger } from '../http/create-logger.ts';
import type { LogLevel } from '../settings.ts';
import { createPaint } from './paint.ts';
import { renderLogLine } from './render-log-line.ts';

export function createServiceLog(level: LogLevel): Logger {
  const { stdout } = process;
  if (!stdout.isTTY) return createLogger(level);
  const paint = createPaint(stdout);
  return createLogger(level, { write: (line: string) => void stdout.write(`${renderLogLine(line, paint)}\n`) });
}
