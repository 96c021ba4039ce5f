// Tests how the front ends find the content of a page. Their code runs in a process of its own and reads from a real service.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Manager, startManager } from '../../server/test/management/manager.ts';

const ROOT = join(import.meta.dirname, '../../..');
const REPLACED = {
  './read-variable.ts': 'data:text/javascript,export const readVariable = (name) => process.env[name]',
  '@galley/client': `file://${join(ROOT, 'packages/client/src/index.ts')}`,
};
const SCRIPT = `
  import { registerHooks } from 'node:module';
  const replaced = ${JSON.stringify(REPLACED)};
  registerHooks({
    resolve: (name, context, next) =>
      name in replaced && !context.parentURL.includes('/packages/')
        ? { url: replaced[name], format: replaced[name].startsWith('file:') ? 'module-typescript' : 'module', shortCircuit: true }
        : next(name, context),
  });
  const { findByPath } = await import(${JSON.stringify(join(ROOT, 'examples/magazine-shared/src/lib/read-content.ts'))});
  const found = JSON.parse(process.argv[1]).map(async ([path, access]) => (await findByPath(path, access))?.id ?? null);
  console.log(JSON.stringify(await Promise.all(found)));
`;

const SITE = 's_guide';
const content = (id: string, type: string, status: 'published' | 'draft'): object => ({
  kind: 'content',
  id,
  site: SITE,
  content_type: type,
  language: 'en',
  slug: `slug-of-${id}`,
  name: id,
  status,
  ...(status === 'published' ? { published_at: '2026-01-01T00:00:00+00:00' } : {}),
});
const RECORDS = [
  { kind: 'site', id: SITE, name: 'Guide', default_language: 'en', languages: ['en'], url: 'https://guide.example' },
  {
    kind: 'content_type',
    id: 't_a',
    site: SITE,
    handle: 'article',
    name: 'A',
    uri_pattern: 'articles/{slug}',
    fields: [],
  },
  { kind: 'content_type', id: 't_n', site: SITE, handle: 'note', name: 'N', uri_pattern: 'notes/{id}', fields: [] },
  content('c_article', 'article', 'published'),
  content('c_note', 'note', 'published'),
  content('c_draft', 'note', 'draft'),
  content('c_other', 'note', 'draft'),
];

let manager: Manager;
let env: NodeJS.ProcessEnv;
const tokens = { published: '', secret: '', shared: '' };

beforeAll(async () => {
  manager = await startManager();
  await manager.service.importRecords(RECORDS);
  const addresses = [{ name: 'Website', address: 'https://guide.example' }];
  const settings = await manager.expectOk<{ readonly secret: string }>('PUT', `/sites/${SITE}/preview`, { addresses });
  const share = `/sites/${SITE}/content/c_draft/share-links`;
  const { url } = await manager.expectOk<{ readonly url: string }>('POST', share, {});
  tokens.published = (await manager.service.createKey({ sites: [SITE] })).token;
  tokens.secret = settings.secret;
  tokens.shared = new URL(url).searchParams.get('secret') ?? '';
  env = {
    ...process.env,
    GALLEY_API_URL: `${manager.service.url}/api/v1`,
    GALLEY_SITE_ID: SITE,
    GALLEY_API_KEY: tokens.published,
  };
});

afterAll(() => manager?.close());

/** A page's path, the reader whose key is used, and the ID of the content that is found. */
type Case = readonly [path: string, reader: keyof typeof tokens, id: string | null];

async function findByPaths(cases: readonly Case[]): Promise<readonly Case[]> {
  const requests = cases.map(([path, reader]) => [
    path,
    reader === 'published' ? reader : { token: tokens[reader], isShared: reader === 'shared' },
  ]);
  const args = ['--input-type=module', '--eval', SCRIPT, JSON.stringify(requests)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const ids: readonly (string | null)[] = JSON.parse(stdout);
  return cases.map(([path, reader], index) => [path, reader, ids[index] ?? null]);
}

test('finds a page whose path ends in its slug', async () => {
  const cases: readonly Case[] = [
    ['articles/slug-of-c_article', 'published', 'c_article'],
    ['slug-of-c_article', 'published', null],
    ['articles/c_article', 'published', null],
    ['articles/none', 'published', null],
  ];
  expect(await findByPaths(cases)).toEqual(cases);
});

test('finds a page whose path ends in its ID, if the visitor may read it', async () => {
  const cases: readonly Case[] = [
    ['notes/c_note', 'published', 'c_note'],
    ['notes/c_note', 'secret', 'c_note'],
    ['notes/c_note', 'shared', 'c_note'],
    ['notes/c_draft', 'secret', 'c_draft'],
    ['notes/c_draft', 'shared', 'c_draft'],
    ['notes/c_draft', 'published', null],
    ['notes/c_other', 'shared', null],
    ['notes/slug-of-c_note', 'published', null],
    ['notes/Is that so?', 'published', null],
    ['notes/..', 'published', null],
  ];
  expect(await findByPaths(cases)).toEqual(cases);
});
