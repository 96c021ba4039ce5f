// A second process on the same database: `node other-process.ts DATABASE COMMAND [ARGUMENT…]`, with the database as JSON. `open` opens and
// closes it. `rename-and-die SITE NAME` renames a site, and is killed before it can close anything. `import` locks the database as an
// import does, reports the lock, and holds it until its standard input ends.

import { once } from 'node:events';
import { openStorage } from '../../src/open-storage.ts';
import type { DatabaseUrl } from '../../src/settings.ts';
import { selectSite } from '../../src/storage/sites/select-catalog.ts';
import { writeSite } from '../../src/storage/sites/write-site.ts';

const [, , database = '', command, siteId = '', name = ''] = process.argv;
const storage = await openStorage(parseDatabase(database), Date.now());
try {
  if (command === 'import') await storage.transaction(holdDatabase, { isImport: true });
  if (command === 'rename-and-die') {
    await rename();
    process.kill(process.pid, 'SIGKILL');
  }
} finally {
  await storage.close();
}

async function holdDatabase(): Promise<void> {
  process.stdout.write('importing\n');
  process.stdin.resume();
  await once(process.stdin, 'end');
}

async function rename(): Promise<void> {
  await storage.transaction(async (transaction) => {
    const site = await transaction.run(selectSite(siteId));
    if (site === undefined) throw new Error(`There is no site ${siteId}`);
    await transaction.run(writeSite({ ...site, name }, Date.now()));
  });
}

/** The test that started this process wrote the JSON, so it needs no validation. */
function parseDatabase(text: string): DatabaseUrl {
  return JSON.parse(text) as DatabaseUrl;
}
