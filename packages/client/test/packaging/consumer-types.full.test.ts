// The packed client's types, checked from CommonJS and ES modules, with and without browser types.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileProject } from './compile-project.ts';
import { type ClientProject, installClient } from './install-client.ts';

const USE = `
type IsAny<T> = 0 extends 1 & T ? true : false;
declare function refuseAny<T>(value: T, isAny: IsAny<T> extends true ? never : false): void;

export async function use(signal: AbortSignal): Promise<string[]> {
  const client = createClient({
    apiURL: 'http://127.0.0.1:3000/api/v1',
    apiKey: 'gk_x',
    siteId: 's_demo',
    fetchOptions: { headers: { 'x-trace': '1' }, redirect: 'error' },
    fetch: (url, init) => fetch(url, init),
    store: createMemoryStore({ maxEntries: 10 }),
  });
  const page = await client.getContentByType({ contentType: 'article', limit: 10 }, { signal });
  refuseAny(page, false);
  refuseAny(page.content, false);
  const next = await page.nextPage?.();
  const names: string[] = next === undefined ? [] : next.content.map((object) => object.name);
  for await (const object of client.iterate({ params: { sort: ['name:asc'] } })) {
    refuseAny(object, false);
    const field = object.fields['title'];
    refuseAny(field, false);
    if (field?.type === 'text') names.push(field.text ?? '');
    if (field?.type === 'assets') {
      for (const { asset } of field.assets) names.push(imageUrl(asset, { w: 300, fit: 'crop-25-75' }), imageSrcSet(asset, [300]));
    }
    // @ts-expect-error there is no such property
    object.nothing;
  }
  const follower = createClient({ apiURL: 'http://127.0.0.1:3000/api/v1', apiKey: 'gk_x', siteId: 's_demo' });
  const mirror = createMemoryMirror();
  const { put } = await follower.sync(mirror, { signal, onRetry: (error) => names.push(error.code) });
  refuseAny(put, false);
  for (const object of mirror.objects.values()) refuseAny(object, false);
  await follower.subscribe((event) => {
    refuseAny(event, false);
    if (event.kind !== 'reset') names.push(event.id, event.content?.name ?? '');
  });
  // @ts-expect-error both arguments are required
  await client.getContentBySlug('privacy').catch(() => {});
  try {
    await client.getContentById('c_none');
  } catch (error) {
    if (isNotFound(error)) return [error.code satisfies 'not_found', error.url];
    throw error;
  }
  return Promise.all(names.map((name) => signImageUrl(name, 'key')));
}
`;
const NAMES = 'createClient, createMemoryMirror, createMemoryStore, imageSrcSet, imageUrl, isNotFound, signImageUrl';
const CONSUMERS = {
  'consumer.mts': `import { ${NAMES}, type ContentBody } from '@galley/client';\nexport type Body = ContentBody;\n${USE}`,
  'consumer.cts': `import galley = require('@galley/client');\nconst { ${NAMES} } = galley;\nexport type Body = galley.ContentBody;\n${USE.replaceAll('export async', 'async')}\nvoid use;\n`,
};

let project: ClientProject;

beforeAll(async () => {
  project = await installClient();
  await project.write(CONSUMERS);
});

afterAll(() => project[Symbol.asyncDispose]());

test.each([
  ['bundler', 'browser'],
  ['bundler', 'node'],
  ['node16', 'browser'],
  ['nodenext', 'node'],
] as const)(
  'the types compile with module resolution %s and only the %s types',
  async (moduleResolution, surroundings) => {
    const options = { moduleResolution, surroundings, files: Object.keys(CONSUMERS) };
    expect(await compileProject(project.path, options)).toBe('');
  },
);

test('the compiler reports incorrect usage', async () => {
  await project.write({
    'wrong.mts': "import { createClient } from '@galley/client';\ncreateClient({ apiURL: 1 });\n",
  });
  const options = { surroundings: 'node', moduleResolution: 'nodenext', files: ['wrong.mts'] } as const;
  expect(await compileProject(project.path, options)).toContain('wrong.mts(2,');
});
