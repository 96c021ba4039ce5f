// The service in several processes that share a port. This one answers no request: it prepares the database, starts
// the others, replaces those that die, and stops them all.

import { withNewDemo } from '../demo/with-new-demo.ts';
import { installStopSignals } from '../http/drain.ts';
import { openStorage } from '../open-storage.ts';
import { readPackageVersion } from '../package-folder.ts';
import type { Settings } from '../settings.ts';
import { announceDemo, announceService } from './announce.ts';
import { createServiceLog } from './create-service-log.ts';
import { findFreePort } from './listening.ts';
import { WorkerGroup } from './worker-group.ts';

export async function serveWithWorkers(settings: Settings, count: number): Promise<void> {
  const version = readPackageVersion();
  const log = createServiceLog(settings.logLevel);
  const storage = await openStorage(settings.databaseUrl, Date.now());
  const place = { host: settings.host, port: await findFreePort(settings) };
  const workers = new WorkerGroup(place, { count, drainMs: settings.drainMs, log });
  installStopSignals({
    signals: ['SIGTERM', 'SIGINT'],
    stop: (signal) => workers.stop(signal),
    stopAtOnce: (signal) => workers.stopAtOnce(signal),
  });
  const url = await workers.start();
  const isNew =
    settings.isDemoWanted &&
    (await withNewDemo(storage, { now: Date.now(), isAdminServed: settings.isAdminServed }, async (demo) => {
      if (demo !== undefined) announceDemo({ version, settings, url, demo });
      return demo !== undefined;
    }));
  await announceService({ version, settings, url, storage, log, isNew });
  await storage.close();
}
