// A node in a test fleet: the whole service in its own process, with short retry delays. Its settings are GALLEY_* variables.
// RETRY_AFTER_MS lists the retry delays, ATTEMPT_MS is the time limit for an attempt, and LEASE_MS, if it is set, that of a lease.

import { pino } from 'pino';
import { openStorage } from '../../src/open-storage.ts';
import { readSettings } from '../../src/settings.ts';
import { startService } from '../../src/start-service.ts';

const settings = readSettings(
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('GALLEY_'))),
  () => '',
);
if (!settings.ok) throw new Error(settings.problem.join('\n'));
const { RETRY_AFTER_MS = '', ATTEMPT_MS, LEASE_MS } = process.env;
if (ATTEMPT_MS === undefined) throw new Error('ATTEMPT_MS is not set');
const storage = await openStorage(settings.value.databaseUrl, Date.now(), settings.value);
const { url } = await startService({
  settings: settings.value,
  storage,
  log: pino({ level: 'info' }),
  version: '0.0.0-test',
  webhooks: {
    retryAfterMs: RETRY_AFTER_MS.split(',').map(Number),
    attemptMs: Number(ATTEMPT_MS),
    ...(LEASE_MS !== undefined && { leaseMs: Number(LEASE_MS) }),
  },
  signals: ['SIGTERM'],
});
process.stdout.write(`${JSON.stringify({ msg: 'listening', address: url })}\n`);
