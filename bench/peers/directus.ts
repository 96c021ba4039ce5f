// Directus: SQLite, public read access, an index on the publish date, and no limits, websockets or telemetry.

import type { Peer } from './peer.ts';

const VERSION = '12.4.0';

export const directus: Peer = {
  name: 'Directus',
  version: VERSION,
  manifest: {
    type: 'module',
    dependencies: { directus: VERSION, sqlite3: '6.0.1' },
    // The real package does not compile on Node 24, and only extensions and flows use it.
    overrides: { 'isolated-vm': 'file:./isolated-vm' },
    allowScripts: { sqlite3: true, argon2: true },
  },
  needsInstallScripts: true,
  files: {
    'isolated-vm/package.json': '{ "name": "isolated-vm", "version": "5.0.3", "main": "index.js" }\n',
    'isolated-vm/index.js': 'module.exports = {};\n',
    'seed.mjs': `
import { readFileSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';

const origin = 'http://127.0.0.1:' + process.env.PORT;
const server = spawn('directus', ['start'], { stdio: 'inherit' });

async function call(method, path, body) {
  const headers = { authorization: 'Bearer bench-token', 'content-type': 'application/json' };
  const response = await fetch(origin + path, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(method + ' ' + path + ' returned ' + response.status + ': ' + (await response.text()));
  return response.status === 204 ? undefined : (await response.json()).data;
}

async function waitForServer() {
  for (let count = 0; count < 240; count++) {
    try {
      if ((await fetch(origin + '/server/ping')).ok) return;
    } catch {}
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('Directus did not respond');
}

try {
  await waitForServer();
  const text = (field, type, schema = {}) => ({ field, type, schema, meta: {} });
  await call('POST', '/collections', {
    collection: 'articles',
    schema: {},
    meta: {},
    fields: [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true }, meta: {} },
      text('name', 'string'),
      text('slug', 'string', { is_unique: true }),
      text('summary', 'text'),
      text('body', 'text'),
      text('priority', 'integer'),
      text('published_at', 'timestamp', { is_indexed: true }),
    ],
  });
  const policies = await call('GET', '/policies?limit=-1');
  const policy = policies.find(({ name }) => name.includes('public'))?.id;
  await call('POST', '/permissions', { policy, collection: 'articles', action: 'read', fields: ['*'], permissions: {} });
  const lines = readFileSync('articles.ndjson', 'utf8').trimEnd().split('\\n');
  const ids = [];
  for (let at = 0; at < lines.length; at += 100) {
    const created = await call('POST', '/items/articles', lines.slice(at, at + 100).map((line) => JSON.parse(line)));
    ids.push(...created.map(({ id }) => id));
  }
  writeFileSync('ids.json', JSON.stringify(ids.slice(0, 1000)));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  server.kill();
}
`,
  },
  environment: (port) => ({
    HOST: '127.0.0.1',
    PORT: String(port || 18_055),
    PUBLIC_URL: `http://127.0.0.1:${port || 18_055}`,
    SECRET: 'bench-secret-of-some-length-for-directus',
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: 'bench-password',
    ADMIN_TOKEN: 'bench-token',
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: './directus.db',
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
    WEBSOCKETS_ENABLED: 'false',
    MAX_PAYLOAD_SIZE: '16mb',
  }),
  preparations: [
    ['directus', 'bootstrap'],
    ['node', 'seed.mjs'],
  ],
  start: () => ['directus', 'start'],
  objectPath: (id) => `/items/articles/${id}`,
  listPath: (page) => `/items/articles?sort=-published_at&limit=20&page=${page}`,
};
