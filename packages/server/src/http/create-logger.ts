// The log: one JSON object a line. API keys never reach it, whichever way a request or an error is logged.

import { type DestinationStream, type Logger, destination as openDestination, pino, stdTimeFunctions } from 'pino';

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
    // Written at once. A destination that writes later flushes when the process exits, and if whoever read the log is
    // gone by then, that flush is tried again for ever and the process never ends.
    destination ?? openDestination({ fd: process.stdout.fd, sync: true }),
  );
}
