// Strapi: SQLite, production mode, no request log, no admin panel. Each article has a draft and a published row, which is how Strapi
// stores articles.

import type { Peer } from './peer.ts';

const VERSION = '5.54.0';
const ATTRIBUTES = {
  name: { type: 'string' },
  slug: { type: 'string', unique: true },
  summary: { type: 'text' },
  body: { type: 'text' },
  priority: { type: 'integer' },
  released: { type: 'datetime' },
};

function buildFactory(factory: string): string {
  return `const { factories } = require('@strapi/strapi');\nmodule.exports = factories.${factory}('api::article.article');\n`;
}

export const strapi: Peer = {
  name: 'Strapi',
  version: VERSION,
  manifest: {
    dependencies: {
      '@strapi/strapi': VERSION,
      '@strapi/plugin-users-permissions': VERSION,
      // The release that Strapi depends on crashes on Node 24.
      'better-sqlite3': '13.0.3',
      react: '18.3.1',
      'react-dom': '18.3.1',
      'react-router-dom': '6.30.3',
      'styled-components': '6.1.19',
    },
    overrides: { 'better-sqlite3': '13.0.3' },
    allowScripts: { 'better-sqlite3': true },
    strapi: { uuid: 'bench', telemetryDisabled: true },
  },
  needsInstallScripts: true,
  files: {
    'config/server.js': `module.exports = ({ env }) => ({ host: '127.0.0.1', port: env.int('PORT'), app: { keys: ['bench'] } });\n`,
    'config/admin.js': `module.exports = () => ({
  serveAdminPanel: false,
  auth: { secret: 'bench' },
  apiToken: { salt: 'bench' },
  transfer: { token: { salt: 'bench' } },
  secrets: { encryptionKey: 'benchbenchbenchbenchbenchbench12' },
});\n`,
    'config/plugins.js': `module.exports = () => ({ 'users-permissions': { config: { jwtSecret: 'bench' } } });\n`,
    'config/api.js': `module.exports = { rest: { defaultLimit: 20, maxLimit: 100, withCount: true } };\n`,
    // All the middleware that Strapi requires. The request log is left out.
    'config/middlewares.js': `module.exports = ['errors', 'security', 'cors', 'query', 'body', 'favicon', 'public'].map(
  (name) => 'strapi::' + name,
);\n`,
    'config/database.js': `module.exports = () => ({
  connection: { client: 'sqlite', connection: { filename: 'strapi.db' }, useNullAsDefault: true },
});\n`,
    'public/uploads/.gitkeep': '',
    'src/index.js': 'module.exports = {};\n',
    'src/api/article/content-types/article/schema.json': JSON.stringify({
      kind: 'collectionType',
      collectionName: 'articles',
      info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
      options: { draftAndPublish: true },
      attributes: ATTRIBUTES,
    }),
    'src/api/article/controllers/article.js': buildFactory('createCoreController'),
    'src/api/article/services/article.js': buildFactory('createCoreService'),
    'src/api/article/routes/article.js': buildFactory('createCoreRouter'),
    'seed.js': `
const { readFileSync, writeFileSync } = require('node:fs');
const { randomBytes } = require('node:crypto');
const { createStrapi } = require('@strapi/strapi');

async function main() {
  const app = await createStrapi({ appDir: __dirname, distDir: __dirname }).load();
  const ids = [];
  let rows = [];
  const flush = async () => {
    await app.db.query('api::article.article').createMany({ data: rows });
    rows = [];
  };
  for (const line of readFileSync('articles.ndjson', 'utf8').trimEnd().split('\\n')) {
    const { published_at, ...article } = JSON.parse(line);
    const documentId = randomBytes(12).toString('hex');
    const released = new Date(published_at);
    const twin = { ...article, documentId, released, createdAt: released, updatedAt: released };
    rows.push({ ...twin, publishedAt: null }, { ...twin, publishedAt: released });
    if (ids.length < 1000) ids.push(documentId);
    if (rows.length >= 50) await flush();
  }
  if (rows.length > 0) await flush();
  const role = await app.db.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } });
  for (const action of ['api::article.article.find', 'api::article.article.findOne']) {
    await app.db.query('plugin::users-permissions.permission').create({ data: { action, role: role.id } });
  }
  writeFileSync('ids.json', JSON.stringify(ids));
  await app.destroy();
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
`,
  },
  environment: (port) => ({
    NODE_ENV: 'production',
    PORT: String(port || 1337),
    STRAPI_TELEMETRY_DISABLED: 'true',
    STRAPI_LOG_LEVEL: 'error',
  }),
  preparations: [['node', 'seed.js']],
  start: () => ['strapi', 'start'],
  objectPath: (id) => `/api/articles/${id}`,
  listPath: (page) => `/api/articles?sort=released:desc&pagination[page]=${page}&pagination[pageSize]=20`,
};
