// The packed client in Node.js, loaded with import and with require, against the demo.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOldestNode, type NodeProgram } from './find-node.ts';
import { type ClientProject, installClient } from './install-client.ts';
import { type Demo, startDemo } from './start-demo.ts';

const NAMES = 'createClient, createMemoryMirror, createMemoryStore, GalleyError, isNotFound, isUnauthenticated';
const READ = `
async function read() {
  const { API_URL: apiURL, API_KEY: apiKey } = process.env;
  const client = createClient({ apiURL, apiKey, siteId: 's_demo', store: createMemoryStore() });
  const first = await client.getContentByType({ contentType: 'article', limit: 3 });
  const second = await first.nextPage();
  const back = await second.prevPage();
  const privacy = await client.getContentBySlug('privacy', 'page');
  const topics = [];
  for await (const topic of client.iterate({ params: { content_type: 'category', limit: 2 } })) topics.push(topic.id);
  const mirror = createMemoryMirror();
  await client.sync(mirror, { contentType: 'category' });
  const error = await client.getContentById('c_none').catch((error) => error);
  const refused = await createClient({ apiURL, apiKey: 'gk_wrong', siteId: 's_demo' }).sync(mirror).catch((error) => error);
  return {
    first: first.content.map(({ id }) => id),
    second: second.content.map(({ id }) => id),
    back: back.content.map(({ id }) => id),
    privacy: privacy.id,
    topics,
    mirrored: [...mirror.objects.keys()].sort(),
    isRefused: isUnauthenticated(refused),
    error: [error.message, error.status, error instanceof GalleyError, isNotFound(error)],
    node: process.versions.node,
  };
}
read().then((outcome) => console.log(JSON.stringify(outcome)));
`;
const PROGRAMS = {
  'import.mjs': `import { ${NAMES} } from '@galley/client';\n${READ}`,
  'require.cjs': `const { ${NAMES} } = require('@galley/client');\n${READ}`,
  'both.mjs': `
    import { createRequire } from 'node:module';
    import { GalleyError, isNotFound } from '@galley/client';
    const other = createRequire(import.meta.url)('@galley/client');
    const error = new other.GalleyError('Content not found.', { code: 'not_found', url: 'http://content.example' });
    console.log(JSON.stringify([error instanceof GalleyError, isNotFound(error)]));`,
};
const current: NodeProgram = { path: process.execPath, version: process.versions.node };

let project: ClientProject;
let demo: Demo;

beforeAll(async () => {
  [project, demo] = await Promise.all([installClient(), startDemo()]);
  await project.write(PROGRAMS);
});

afterAll(async () => {
  await demo[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

async function run(node: NodeProgram, file: keyof typeof PROGRAMS): Promise<unknown> {
  const { stdout, stderr } = await promisify(execFile)(node.path, [join(project.path, file)], {
    env: { API_URL: `${demo.url}/api/v1`, API_KEY: demo.apiKey },
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

async function listIds(query: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${demo.apiKey}`, 'x-service-site': 's_demo' };
  const response = await fetch(`${demo.url}/api/v1/content?${query}`, { headers });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

// The test names include the Node.js versions found on this machine. Both versions are the same if no older one is installed.
describe.each([current, findOldestNode()])('on Node.js $version', (node) => {
  test.each(['import.mjs', 'require.cjs'] as const)(
    '%s reads content, pages forward and back, mirrors content, and distinguishes errors',
    async (file) => {
      const articles = await listIds('content_type=article&limit=6');
      const topics = await listIds('content_type=category');
      expect(await run(node, file)).toEqual({
        first: articles.slice(0, 3),
        second: articles.slice(3),
        back: articles.slice(0, 3),
        privacy: 'c_page_privacy',
        topics,
        // Mirrors contain all languages.
        mirrored: topics.flatMap((id) => [id, `${id}_fr`]).toSorted(),
        isRefused: true,
        error: ['Content not found.', 404, true, true],
        node: node.version,
      });
    },
  );

  test('the ES module recognises an error from the CommonJS copy', async () => {
    expect(await run(node, 'both.mjs')).toEqual([false, true]);
  });
});
