// Payload: only its SQLite adapter and its REST route, built and started as in production.

import type { Peer } from './peer.ts';

const VERSION = '3.90.2';

export const payload: Peer = {
  name: 'Payload',
  version: VERSION,
  manifest: {
    type: 'module',
    dependencies: {
      payload: VERSION,
      '@payloadcms/next': VERSION,
      '@payloadcms/db-sqlite': VERSION,
      next: '16.4.6',
      react: '19.3.1',
      'react-dom': '19.3.1',
      graphql: '16.11.0',
    },
    devDependencies: { typescript: '5.9.3', '@types/react': '19.2.0', '@types/node': '24.10.0' },
  },
  needsInstallScripts: false,
  files: {
    'payload.config.ts': `
import { sqliteAdapter } from '@payloadcms/db-sqlite';
import { buildConfig } from 'payload';

export default buildConfig({
  secret: 'bench',
  telemetry: false,
  db: sqliteAdapter({ client: { url: 'file:./payload.db' } }),
  collections: [
    { slug: 'users', auth: true, fields: [] },
    {
      slug: 'articles',
      access: { read: () => true },
      fields: [
        { name: 'name', type: 'text' },
        { name: 'slug', type: 'text', unique: true, index: true },
        { name: 'summary', type: 'textarea' },
        { name: 'body', type: 'textarea' },
        { name: 'priority', type: 'number' },
        { name: 'publishedAt', type: 'date', index: true },
      ],
    },
  ],
});
`,
    'seed.mjs': `
import { readFileSync, writeFileSync } from 'node:fs';
import { getPayload } from 'payload';
import config from './payload.config.ts';

const payload = await getPayload({ config });
const ids = [];
for (const line of readFileSync('articles.ndjson', 'utf8').trimEnd().split('\\n')) {
  const { published_at: publishedAt, ...article } = JSON.parse(line);
  const data = { ...article, publishedAt: new Date(publishedAt).toISOString() };
  const { id } = await payload.db.create({ collection: 'articles', data, req: {} });
  if (ids.length < 1000) ids.push(id);
}
writeFileSync('ids.json', JSON.stringify(ids));
process.exit(0);
`,
    'next.config.mjs': `
import { withPayload } from '@payloadcms/next/withPayload';

export default withPayload({});
`,
    'tsconfig.json': `${JSON.stringify({
      compilerOptions: {
        module: 'esnext',
        moduleResolution: 'bundler',
        jsx: 'preserve',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        paths: { '@payload-config': ['./payload.config.ts'] },
      },
    })}\n`,
    'app/api/[...slug]/route.ts': `
import config from '@payload-config';
import { REST_GET } from '@payloadcms/next/routes';

export const GET = REST_GET(config);
`,
  },
  environment: () => ({ NEXT_TELEMETRY_DISABLED: '1' }),
  preparations: [
    ['node', 'seed.mjs'],
    ['next', 'build'],
  ],
  start: (port) => ['next', 'start', '-p', String(port), '-H', '127.0.0.1'],
  objectPath: (id) => `/api/articles/${id}?depth=0`,
  listPath: (page) => `/api/articles?depth=0&limit=20&sort=-publishedAt&page=${page}`,
};
