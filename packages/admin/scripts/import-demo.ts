import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestService } from '../../server/test/support/service.ts';

const BUNDLE = join(import.meta.dirname, '../../server/demo/magazine.ndjson');

/** The demo magazine, and keys as a site has them after a while. */
export async function importDemo(service: TestService): Promise<void> {
  const lines = readFileSync(BUNDLE, 'utf8').split('\n');
  await service.importRecords(lines.filter((line) => line !== '').map((line): object => JSON.parse(line)));
  await service.createKey({ sites: ['s_demo'], rateLimit: 600 });
  await service.createKey({ allSites: true, preview: true, expires: Date.UTC(2030, 0, 1) });
}
