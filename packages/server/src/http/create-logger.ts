// The log: one JSON object a line. API keys never reach it, whichever way a request or an error is logged.

import { writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

const SECRET_NAMES = ['authorization', 'Authorization', 'token', 'apiKey', 'password', 'cookie', 'set-cookie'];

// Redaction knows paths, not names, so each name is listed at every depth that log lines have.
const SECRET_PATHS = SECRET_NAMES.flatMap((name) =>
  ['', '*.', '*.*.', '*.*.*.'].map((parents) =>
    name.includes('-') ? `${parents.replace(/\.$/, '')}["${name}"]` : `${parents}${name}`,
  ),
);

export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
      // An error's message or a header list may quote the header's value where no path leads.
      hooks: { streamWrite: (line) => line.replace(/\b(bearer)(\s+|%20)[^\s"'\\,]+/gi, '$1 [redacted]') },
    },
    destination ?? { write: (line: string) => writeLine(process.stdout.fd, line) },
  );
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4));
const PAUSE_MS = 5;
/** A reader that takes nothing for so long has stopped. */
const MOST_PAUSES = 200;

/**
 * Written at once, so that the last lines of a process are there when it ends. A line that cannot be written, on a full disk or
 * after whoever read the log has gone, is lost: the service goes on without it. (pino's own destination throws, and keeps the
 * line for a flush at the end, which it then tries for ever.)
 */
function writeLine(fd: number, line: string): void {
  let rest = Buffer.from(line);
  for (let pauses = 0; rest.length > 0 && pauses < MOST_PAUSES; ) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
      pauses += 1;
      Atomics.wait(neverWoken, 0, 0, PAUSE_MS);
    }
  }
}
