// The packed library's types, checked from ES modules and CommonJS.

import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installLibrary, type LibraryProject } from '../../../../scripts/packing/install-library.ts';
import { compileProject } from '../../../client/test/packaging/compile-project.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const USE = `
interface Article { readonly id: string; readonly name: string; readonly language: string; readonly fields: object }

function use(article: Article): string {
  const { disconnect } = connectPreview<Article>({
    panelOrigin: 'https://cms.example',
    onUpdate: async ({ name }) => name satisfies string,
    onRefresh: () => location.reload(),
  });
  disconnect();
  showToolbar({ panelUrl: 'https://cms.example', siteId: 's_demo', contentId: article.id, leaveUrl: '/leave' }).remove();
  const shown: Article = useLivePreview(article, { panelOrigin: 'https://cms.example', brand: undefined });
  const published: Article = useLivePreview(article, undefined);
  // @ts-expect-error the panel's address is required
  connectPreview({});
  // @ts-expect-error there is no such property
  stegaClean(article).nothing;
  return [editAttributes(shown, 'fields.rank')['data-galley-edit'], decodeMark(published.name)?.path].join();
}
void use;
`;
const NAMES = 'connectPreview, decodeMark, editAttributes, showToolbar, stegaClean';
const CONSUMERS = {
  'consumer.mts': `import { ${NAMES} } from '@galley/preview';\nimport { useLivePreview } from '@galley/preview/react';\n${USE}`,
  'consumer.cts': `import preview = require('@galley/preview');\nimport hooks = require('@galley/preview/react');\nconst { ${NAMES} } = preview;\nconst { useLivePreview } = hooks;\n${USE}`,
};

let project: LibraryProject;

beforeAll(async () => {
  project = await installLibrary('preview');
  await symlink(join(ROOT, 'node_modules/@types'), join(project.path, 'node_modules/@types'));
  await project.write(CONSUMERS);
});

afterAll(() => project[Symbol.asyncDispose]());

test.each(['bundler', 'node16', 'nodenext'])(
  'the types compile with module resolution %s',
  async (moduleResolution) => {
    const files = Object.keys(CONSUMERS);
    expect(await compileProject(project.path, { surroundings: 'browser', moduleResolution, files })).toBe('');
  },
);
