// Runs the service in one of several processes that share a port. The process stops when the primary process tells it to, or on a signal: a
// terminal or a supervisor may signal all processes.

import cluster from 'node:cluster';
import { openStorage } from '../open-storage.ts';
import { readPackageVersion } from '../package-folder.ts';
import type { Settings } from '../settings.ts';
import { startService } from '../start-service.ts';
import { translateListenError } from './listening.ts';
import { createServiceLog } from './service-log.ts';
import { openSharedImages } from './shared-images.ts';
import { openSharedTraffic } from './shared-traffic.ts';
import { openQuestions, type ReadyMessage, STOP_MESSAGE } from './worker-messages.ts';

export async function serveAsWorker(settings: Settings): Promise<void> {
  const log = createServiceLog(settings.logLevel).child({ worker: cluster.worker?.id });
  const storage = await openStorage(settings.databaseUrl, Date.now(), settings);
  const ask = openQuestions();
  const service = await startService({
    settings,
    storage,
    log,
    version: readPackageVersion(),
    openMetrics: async () => (await import('./shared-metrics.ts')).createSharedMetrics(ask),
    trafficLedger: openSharedTraffic(ask),
    openImages: async () => openSharedImages(),
  }).catch((error: unknown) => {
    throw translateListenError(error, settings);
  });

  function stop(): void {
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'closing failed');
        process.exit(1);
      },
    );
  }

  process.on('message', (message) => {
    if (message === STOP_MESSAGE) stop();
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  process.send?.({ url: service.url } satisfies ReadyMessage);
}
