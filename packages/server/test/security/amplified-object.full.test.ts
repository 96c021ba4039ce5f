// A service with little memory survives any object, however much the object embeds.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exchange, LIST_PATH, type Reply } from '../conformance/reader.ts';
import { makeFolder, runForJson, startServer } from '../support/galley-command.ts';
import { postRecord, siteRecord, toLines, typeRecord } from '../support/small-site.ts';

const BLOCKS = 8000;
const SITE = 's_small';
const wall = typeRecord();
const RECORDS = [
  siteRecord(),
  { ...wall, fields: [...wall.fields, { handle: 'parts', name: 'Parts', type: 'blocks' }] },
  {
    ...{ kind: 'content_type', id: 't_card', site: SITE, handle: 'card', name: 'Card', object_type: 'block' },
    fields: [{ handle: 'pictures', name: 'Pictures', type: 'assets' }],
  },
  postRecord('c_wall', {
    fields: {
      parts: {
        blocks: Array.from({ length: BLOCKS }, () => ({
          content_type: 'card',
          fields: { pictures: { assets: ['a_1'] } },
        })),
      },
    },
  }),
  postRecord('c_linking', { fields: { related: { content_links: ['c_wall'] } } }),
  postRecord('c_other'),
];

function buildAsset(url: string): object {
  return { kind: 'asset', id: 'a_1', site: SITE, name: 'Picture', url };
}

test('an object that embeds a 99 KB picture 8,000 times cannot crash a process with 512 MB', async () => {
  await using folder = await makeFolder();
  const cwd = folder.path;
  await writeFile(join(cwd, 'site.ndjson'), toLines([buildAsset('/small.png'), ...RECORDS]));
  await writeFile(
    join(cwd, 'asset.ndjson'),
    toLines([buildAsset(`data:image/png;base64,iVBORw0KGgoA${'A'.repeat(98_988)}`)]),
  );
  await runForJson(['import', 'site.ndjson'], { cwd });
  expect(await runForJson(['import', 'asset.ndjson'], { cwd })).toMatchObject({
    warnings: [{ message: 'must be a picture of at most 16 KB if it is a data: URL, got 97 KB' }],
  });
  const { token } = readToken(await runForJson(['key', 'create', '--site', SITE, '--preview'], { cwd }));
  const env = { NODE_OPTIONS: '--max-old-space-size=512', GALLEY_LOG_LEVEL: 'info' };
  await using server = await startServer({ cwd, env });
  const read = (target: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> => {
    const access = { authorization: `Bearer ${token}`, 'x-service-site': SITE };
    return exchange(server.url, 'GET', `${LIST_PATH}${target}`, { ...access, ...headers });
  };
  for (let round = 0; round < 2; round += 1) {
    const targets = [`?n=${round}`, '/c_wall', '/c_linking', '?limit=1&sort=name:desc'];
    const replies = await Promise.all(targets.map((target) => read(target)));
    expect(replies.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(await read('/c_wall', { 'x-service-preview': 'true' })).toMatchObject({ status: 422 });
    expect(await read('/c_other')).toMatchObject({ status: 200 });
  }
  expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  expect((await server.stop()).status).toBe(0);
});

function readToken(created: unknown): { readonly token: string } {
  if (typeof created !== 'object' || created === null || !('token' in created)) throw new Error('No key was created');
  return { token: String(created.token) };
}
