// The log: one JSON object per line. It never contains API keys, not even in logged requests and errors.

import { writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

const SECRET_NAMES = ['authorization', 'Authorization', 'token', 'apiKey', 'password', 'cookie', 'set-cookie'];

// Redaction works by path, so each name is listed at every depth that occurs in log lines.
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
      // An error message or a list of headers may quote the header's value.
      hooks: { streamWrite: (line) => line.replace(/\b(bearer)(\s+|%20)[^\s"'\\,]+/gi, '$1 [redacted]') },
    },
    destination ?? createLineWriter(process.stdout.fd),
  );
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4));
const PAUSE_MS = 5;
/** If nothing has read the log for this many pauses, we assume that its reader has stopped. */
const MOST_PAUSES = 200;

/**
 * Writes synchronously, so a process does not lose its last lines when it exits. (pino's own destination throws on an error, keeps the
 * line, and then tries forever to flush it on exit.) If the disk is full or nobody is reading the log, the service continues and drops
 * lines: it waits for the reader once, and does not wait again until the reader has resumed. A log line then reports how many lines were
 * dropped.
 */
export function createLineWriter(fd: number): DestinationStream {
  /** The rest of a partly written line. It must be written next. */
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
  const entry = { level: 'warn', time: new Date().toISOString(), lines, msg: 'log lines were lost: nobody read them' };
  return `${JSON.stringify(entry)}\n`;
}
