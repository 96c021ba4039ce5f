// A line of the log as a person reads it: the time of day, the level where it is out of the ordinary, the message, and
// what belongs to it. An error's stack follows on lines of its own.

import { isJsonObject } from '../content/strict-json.ts';
import { cleanText, type Paint } from './paint.ts';

const OMITTED = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);
const LOUD = new Set(['warn', 'error', 'fatal']);

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

/** In the time zone of the machine, as the person's clock shows it. */
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
