// Compiles the examples in the library's source comments.

import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkshop, REPOSITORY } from './workshop.ts';

test('the examples in source comments compile', async () => {
  const workshop = await openWorkshop();
  const imports = `import type { Site } from './content.ts';
    import { type Client, type ContentHandle, type ContentOf, type ContentPage, type ImageAsset, type ListParams,
      type MirrorStore, createClient, createMemoryMirror, createMemoryStore, imageSrcSet, imageUrl, isForbidden, isGalleyError, isInvalid, isMisconfigured, isNotFound, isOfType, isRateLimited, isTimeout, isUnauthenticated, isUnavailable,
      signImageSrcSet, signImageUrl,
    } from '@galley/client';
    export type Used = [Site, Client, ContentHandle<Site>, ContentOf<Site>, ContentPage<0, 0>, ListParams<Site>];
    export const used = [createClient, createMemoryMirror, createMemoryStore, isForbidden, isGalleyError, isInvalid, isMisconfigured, isNotFound, isOfType,
      isRateLimited, isTimeout, isUnauthenticated, isUnavailable, imageSrcSet, imageUrl, signImageSrcSet, signImageUrl];
    declare const client: Client<Site>;
    declare const store: MirrorStore;
    declare const [apiURL, apiKey, siteId, id]: [string, string, string, string];
    declare const error: unknown;
    declare const asset: ImageAsset;
    declare const imageKey: string;
    declare const page: Awaited<ReturnType<typeof client.getContent>>;
    export const given = [client, store, apiURL, apiKey, siteId, id, error, page, asset, imageKey];
  `;
  const examples: string[] = [];
  for await (const file of glob(join(REPOSITORY, 'packages/client/src/*.ts'))) {
    const source = await readFile(file, 'utf8');
    for (const [comment] of source.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
      const [, example] = /@example\s([\s\S]*?)(?=\n\s*\* @|\s*\*\/)/.exec(comment) ?? [];
      if (example !== undefined) examples.push(example.replaceAll(/^\s*\* ?/gm, ''));
    }
  }
  expect(examples.length).toBeGreaterThan(15);
  const [whole, parts] = [true, false].map((isWhole) =>
    examples.filter((each) => each.startsWith('import') === isWhole),
  );
  const functions = (parts ?? []).map(
    (part, index) => `export async function example${index}() {\n${part}\nreturn undefined;\n}`,
  );
  const lenient = { noUnusedLocals: false, allowUnreachableCode: true };
  const all = `${imports}\n${functions.join('\n')}`;
  expect(await workshop.compile({ all }, 'node', lenient)).toEqual({ all: '' });
  expect(whole).toHaveLength(1);
  const first = `${whole?.[0]}\nexport { client };`.replace('content-types', 'content');
  expect(await workshop.compile({ first }, 'node')).toEqual({ first: '' });
  await workshop.close();
});
