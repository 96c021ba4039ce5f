// For tests: a server in its own process. It reports events to its parent, and holds requests for /hold until its parent releases them.

import { createHttpServer } from './create-http-server.ts';
import { createLogger } from './create-logger.ts';
import { createDrainState, installShutdown } from './drain.ts';
import { registerHealth } from './health.ts';

const tell = (event: unknown): void => {
  process.send?.(event);
};

function tellLine(line: string): void {
  tell(JSON.parse(line).msg);
}

const drain = createDrainState();
const log = process.env.LOG_TO_STDOUT === undefined ? createLogger('info', { write: tellLine }) : createLogger('info');
const server = createHttpServer({ log, drain, headerPrefix: 'X-SERVICE' });
registerHealth(server, { checks: {}, drain, log });
server.get('/hold', async () => {
  const { promise, resolve } = Promise.withResolvers();
  process.once('message', resolve);
  tell('held');
  await promise;
  return { held: true };
});
installShutdown({
  server,
  drain,
  log,
  echoMs: Number(process.env.ECHO_MS ?? 0),
  drainMs: Number(process.env.DRAIN_MS ?? 0),
  hardStopMs: 600_000,
  onStopping: () => setImmediate(tell, 'not listening'),
  onClosed: async () => {
    if (process.env.FAIL_TO_CLOSE !== undefined) throw new Error('cannot close');
    tell('closed');
  },
});
const origin = await server.listen({ port: 0, host: '127.0.0.1' });
tell({ port: Number(new URL(origin).port) });
