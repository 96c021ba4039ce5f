// Runs the service in one process.

import { type NewDemo, withNewDemo } from '../demo/with-new-demo.ts';
import { openStorage } from '../open-storage.ts';
import { readPackageVersion } from '../package-folder.ts';
import type { Settings } from '../settings.ts';
import { type RunningService, startService } from '../start-service.ts';
import { announceDemo, announceService } from './announce.ts';
import { isLoopback, translateListenError } from './listening.ts';
import { createServiceLog } from './service-log.ts';

export async function serveAlone(settings: Settings): Promise<void> {
  const version = readPackageVersion();
  const log = createServiceLog(settings.logLevel);
  const storage = await openStorage(settings.databaseUrl, Date.now(), settings);

  async function start(demo: NewDemo | undefined): Promise<RunningService & { readonly isNew: boolean }> {
    const demoAccess = isLoopback(settings.host) ? demo?.access : undefined;
    const signals = ['SIGTERM', 'SIGINT'] as const;
    const parts = { settings, storage, log, version, demoAccess, signals };
    const service = await startService(parts).catch((error: unknown) => {
      throw translateListenError(error, settings);
    });
    if (demo !== undefined) announceDemo({ version, settings, url: service.url, demo });
    return { ...service, isNew: demo !== undefined };
  }

  const { isDemoWanted, isAdminServed, assetsUrl } = settings;
  const { url, isNew } = isDemoWanted
    ? await withNewDemo(storage, { now: Date.now(), isAdminServed, assetsUrl }, start)
    : await start(undefined);
  await announceService({ version, settings, url, storage, log, isNew });
}
