// Copies a site's published content into a SQLite database. With --live, it then saves every change as it happens.

import { createClient } from '@galley/client';
import { SqliteStore } from './sqlite-store.ts';

const { GALLEY_API_URL, GALLEY_API_KEY, GALLEY_SITE, MIRROR_FILE = 'mirror.db' } = process.env;

const client = createClient({
  apiURL: GALLEY_API_URL ?? 'http://127.0.0.1:3000/api/v1',
  apiKey: GALLEY_API_KEY ?? '',
  siteId: GALLEY_SITE ?? 's_demo',
});
const store = new SqliteStore(MIRROR_FILE);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

await client.sync(store, {
  live: process.argv.includes('--live'),
  signal: stop.signal,
  onUpToDate: ({ put, removed }) => console.log(`Up to date: ${put} saved, ${removed} removed`),
  onRetry: (error) => console.error(`${error.message} Trying again.`),
});
store.close();
