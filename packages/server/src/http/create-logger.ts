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
    destination ?? createLineWriter(process.stdout.fd),
  );
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4));
const PAUSE_MS = 5;
/** A reader that takes nothing for so long has stopped. */
const MOST_PAUSES = 200;

/**
 * Writes at once, so that the last lines of a process are there when it ends. (pino's own destination throws, and keeps the line for
 * a flush at the end, which it then tries for ever.) When nothing can be written, because the disk is full or nobody reads the
 * log, the service goes on and loses lines: it waits for a reader once, then not again until the reader goes on. A line tells how many were lost.
 */
export function createLineWriter(fd: number): DestinationStream {
  /** The end of a line whose beginning is written: nothing may come between the two. */
  let rest = Buffer.alloc(0);
  let lost = 0;
  let isStopped = false;

  function writeRest(): boolean {
    for (let pauses = 0; rest.length > 0; ) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
        isStopped ||= !isFull || pauses === MOST_PAUSES;
        if (isStopped) return false;
        pauses += 1;
        Atomics.wait(neverWoken, 0, 0, PAUSE_MS);
      }
    }
    return true;
  }

  function write(line: string): void {
    if (!writeRest()) {
      lost += 1;
      return;
    }
    const whole = Buffer.from(lost === 0 ? line : renderLoss(lost) + line);
    rest = whole;
    if (writeRest()) {
      lost = 0;
      isStopped = false;
    } else if (rest.length === whole.length) {
      rest = Buffer.alloc(0);
      lost += 1;
    } else {
      lost = 0;
    }
  }

  return { write };
}

function renderLoss(lines: number): string {
  const entry = { level: 'warn', time: new Date().toISOString(), lines, msg: 'log lines were lost, nobody read them' };
  return `${JSON.stringify(entry)}\n`;
}
