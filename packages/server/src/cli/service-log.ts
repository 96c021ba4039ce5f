import type { Logger } from 'pino';
import { isJsonObject } from '../content/strict-json.ts';
import { createLogger } from '../http/create-logger.ts';
import type { LogLevel } from '../settings.ts';
import { cleanText, createPaint, type Paint } from './paint.ts';
// The service log: JSON lines, or readable lines on a terminal.

export function createServiceLog(level: LogLevel): Logger {
  const { stdout } = process;
  if (!stdout.isTTY) return createLogger(level);
  const paint = createPaint(stdout);
  return createLogger(level, { write: (line: string) => void stdout.write(`${renderLogLine(line, paint)}\n`) });
}

const OMITTED = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);
const LOUD = new Set(['warn', 'error', 'fatal']);

/**
 * Renders the time of day, the level if it is a warning or worse, the message and its details. An error's stack follows on separate lines.
 */
export function renderLogLine(line: string, paint: Paint): string {
  const entry: unknown = JSON.parse(line);
  if (!isJsonObject(entry)) return line.trimEnd();
  const { level, time, msg, err } = entry;
  const parts = [
    paint('dim', typeof time === 'string' ? formatTimeOfDay(time) : ''),
    ...(typeof level === 'string' && LOUD.has(level) ? [paint(level === 'warn' ? 'yellow' : 'red', level)] : []),
    cleanText(String(msg ?? '')),
    ...Object.entries(entry)
      .filter(([name]) => !OMITTED.has(name))
      .map(([name, value]) =>
        paint('dim', cleanText(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)),
      ),
  ];
  return `  ${parts.join('  ')}${isJsonObject(err) ? renderError(err, paint) : ''}`;
}

/** Uses the machine's time zone. */
function formatTimeOfDay(time: string): string {
  return new Date(time).toTimeString().slice(0, 8);
}

function renderError(error: Readonly<Record<string, unknown>>, paint: Paint): string {
  const text = String(error.stack ?? error.message ?? '');
  return text
    .split('\n')
    .map((line) => `\n    ${paint('dim', cleanText(line))}`)
    .join('');
}
