import { describe, expect, test } from 'vitest';
import { BOUNDARY_RULES, EXCEPTIONS } from './boundary-rules.ts';
import { findViolations } from './find-violations.ts';

const SERVER = 'packages/server/src';

function check(files: Readonly<Record<string, string>>, exceptions: readonly string[] = []): readonly string[] {
  return findViolations(new Map(Object.entries(files)), exceptions);
}

describe('imports between modules', () => {
  test.each([
    ['listing/sort.ts', '../content/catalog.ts'],
    ['listing/envelope.ts', './cursor.ts'],
    ['storage/lists/list-sql.ts', '../../listing/list-query.ts'],
    ['storage/sqlite/sqlite-engine.ts', '../engine.ts'],
    ['storage/storage.ts', './delivery-reads.ts'],
    ['storage/storage.ts', './publication/announce.ts'],
    ['storage/contents/write-content.ts', '../publication/show-content.ts'],
    ['bundle/import-bundle.ts', '../storage/contents/write-content.ts'],
    ['delivery/answer-request.ts', '../http/problems.ts'],
    ['delivery/answer-request.ts', '../storage/contents/select-content.ts'],
    ['management/sites.ts', '../storage/contents/select-records-page.ts'],
    ['authoring/save-content.ts', '../storage/contents/write-content.ts'],
    ['authoring/authors.ts', '../storage/publication/rewrite-content.ts'],
    ['authoring/change-sweep.ts', '../storage/publication/forget-changes.ts'],
    ['http/health.ts', '../content/result.ts'],
    ['settings/read-settings.ts', '../content/result.ts'],
    ['settings/parse-setting.ts', '../files/assets-url.ts'],
    ['files/folder-store.ts', '../content/result.ts'],
    ['bundle/take-as-upload.ts', '../uploads/take-file.ts'],
    ['demo/with-new-demo.ts', '../bundle/take-bundle-files.ts'],
    ['app.ts', './delivery/create-delivery.ts'],
    ['cli/serve.ts', '../storage/sqlite/open-sqlite.ts'],
  ])('%s may import %s', (path, specifier) => {
    expect(check({ [`${SERVER}/${path}`]: `import { a } from '${specifier}';` })).toEqual([]);
  });

  test.each([
    ['content/field.ts', '../listing/sort.ts', 'content must not import listing'],
    ['content/result.ts', './field.ts', 'content/result must not import content'],
    ['listing/sort.ts', '../storage/engine.ts', 'listing must not import storage/contract'],
    ['storage/engine.ts', './sqlite/sqlite-engine.ts', 'storage/contract must not import storage/sqlite'],
    ['storage/engine.ts', '../http/problems.ts', 'storage/contract must not import http'],
    ['bundle/import-bundle.ts', '../storage/batch.ts', 'bundle must not import storage'],
    ['bundle/import-bundle.ts', '../storage/delivery-reads.ts', 'bundle must not import storage/reading'],
    ['bundle/import-bundle.ts', '../listing/sort.ts', 'bundle must not import listing'],
    ['bundle/import-bundle.ts', '../uploads/take-file.ts', 'bundle must not import uploads'],
    ['bundle/import-bundle.ts', './take-bundle-files.ts', 'bundle must not import bundle/files'],
    ['demo/with-new-demo.ts', '../cli/serve.ts', 'demo must not import composition'],
    ['http/health.ts', '../content/field.ts', 'http must not import content'],
    ['delivery/answer-request.ts', '../storage/contents/write-content.ts', 'delivery must not import storage/writing'],
    [
      'delivery/answer-request.ts',
      '../storage/contents/content-records.ts',
      'delivery must not import storage/contents',
    ],
    ['management/sites.ts', '../storage/contents/write-content.ts', 'management must not import storage/writing'],
    ['authoring/authors.ts', '../storage/publication/announce.ts', 'authoring must not import storage/publication'],
    ['bundle/slug-claims.ts', '../storage/publication/show-content.ts', 'bundle must not import storage/publication'],
    ['cli/serve.ts', '../storage/publication/change-log.ts', 'composition must not import storage/publication'],
    ['http/health.ts', '../storage/accounts/accounts.ts', 'http must not import storage/accounts'],
    ['doctor/check-content.ts', '../storage/contents/content-records.ts', 'doctor must not import storage/contents'],
    ['delivery/answer-request.ts', '../management/sites.ts', 'delivery must not import management'],
    ['management/sites.ts', '../delivery/answer-request.ts', 'management must not import delivery'],
    ['explorer/parameters.ts', '../storage/engine.ts', 'explorer must not import storage/contract'],
    ['settings.ts', './http/limits.ts', 'settings must not import http'],
    ['settings.ts', './files/folder-store.ts', 'settings must not import files'],
    ['files/folder-store.ts', '../storage/storage.ts', 'files must not import storage/contract'],
    ['files/fetch-remote.ts', '../http/problems.ts', 'files must not import http'],
    ['app.ts', './storage/batch.ts', 'composition must not import storage'],
    ['cli/serve.ts', '../storage/sqlite/sqlite-engine.ts', 'composition must not import storage/sqlite'],
  ])('%s must not import %s', (path, specifier, reason) => {
    const [violation, ...others] = check({ [`${SERVER}/${path}`]: `import { a } from '${specifier}';` });
    expect(violation).toContain(reason);
    expect(others).toEqual([]);
  });

  test('only storage may import the code that advances generations and writes the read models', () => {
    const importers = Object.entries(BOUNDARY_RULES).filter(([, { modules }]) =>
      modules.includes('storage/publication'),
    );
    expect(importers.map(([name]) => name).filter((name) => !/^storage(\/|$)/.test(name))).toEqual([]);
    expect(importers.map(([name]) => name)).toContain('storage/writing');
  });

  test('the client and the panel access the server only over HTTP', () => {
    expect(check({ 'packages/client/src/client.ts': "import type { ContentBody } from '@galley/wire';" })).toEqual([]);
    for (const path of ['packages/client/src/client.ts', 'packages/admin/src/app/app.tsx']) {
      expect(check({ [path]: "import { createApp } from '@galley/server';" })).toHaveLength(1);
      expect(check({ [path]: "import { createApp } from '../../server/src/app.ts';" })).toHaveLength(1);
    }
  });

  test('a file that does not belong to any module is rejected if it imports anything', () => {
    const [violation] = check({ [`${SERVER}/utils/text.ts`]: "import { ok } from '../content/result.ts';" });
    expect(violation).toContain('does not belong to any module');
  });

  test.each([
    "import type { A } from '../storage/batch.ts';",
    "export { a } from '../storage/batch.ts';",
    "export type * from '../storage/batch.ts';",
    "const a = await import('../storage/batch.ts');",
    "type A = import('../storage/batch.ts').A;",
    "import '../storage/batch.ts';",
  ])('are found however they are written: %s', (text) => {
    expect(check({ [`${SERVER}/delivery/answer.ts`]: `// first line\n${text}` })).toEqual([
      `${SERVER}/delivery/answer.ts:2 imports ${SERVER}/storage/batch.ts: delivery must not import storage`,
    ]);
  });

  test('computed imports are rejected, because they cannot be checked', () => {
    expect(check({ [`${SERVER}/app.ts`]: 'const a = await import(name);' })).toHaveLength(1);
  });

  test('types shared by both sides must be imported as types', () => {
    const path = `${SERVER}/content/field.ts`;
    expect(check({ [path]: "import type { ObjectType } from '@galley/wire';" })).toEqual([]);
    expect(check({ [path]: "import { type ObjectType } from '@galley/wire';" })).toHaveLength(1);
  });
});

describe('imports inside the panel', () => {
  const PANEL = 'packages/admin/src';

  test.each([
    ['main.tsx', './app/app.tsx'],
    ['app/site-routes.ts', '../content-list/content-page.tsx'],
    ['shell/user-menu.tsx', '../editor/draft/kept-drafts.ts'],
    ['tabs/history/history-page.tsx', '../../editor/draft-context.ts'],
    ['types/form-preview.tsx', '../editor/content-form.tsx'],
    ['editor/status-bar.tsx', '../content/state-label.tsx'],
    ['sites/site-languages.tsx', '../languages/language-inputs.tsx'],
    ['users/user-access.tsx', '../tokens/token-queries.ts'],
    ['elements/page.tsx', '../texts/shell-texts.ts'],
  ])('%s may import %s', (path, specifier) => {
    expect(check({ [`${PANEL}/${path}`]: `import { a } from '${specifier}';` })).toEqual([]);
  });

  test.each([
    ['sites/sites-page.tsx', '../app/router.ts', 'panel/sites must not import panel/app'],
    ['editor/status-bar.tsx', '../tabs/use-opened-content.ts', 'panel/editor must not import panel/tabs'],
    ['editor/edit-page.tsx', '../types/field-kinds.ts', 'panel/editor must not import panel/types'],
    [
      'editor/fields/list-input.tsx',
      '../draft/draft-values.ts',
      'panel/editor/fields must not import panel/editor/draft',
    ],
    ['editor/draft/draft-state.ts', '../content-calls.ts', 'panel/editor/draft must not import panel/editor'],
    ['session/entrance.tsx', '../shell/shell.tsx', 'panel/session must not import panel/shell'],
    ['elements/page.tsx', '../session/use-user.ts', 'panel/elements must not import panel/session'],
    ['languages/language-inputs.tsx', '../sites/site-queries.ts', 'panel/languages must not import panel/sites'],
    ['tokens/new-token-form.tsx', '../users/user-queries.ts', 'panel/tokens must not import panel/users'],
    ['dashboard/dashboard-page.tsx', '../tabs/tab-queries.ts', 'panel/dashboard must not import panel/tabs'],
    ['api/api.ts', '../texts/shell-texts.ts', 'panel/api must not import panel/texts'],
    ['shell/shell.tsx', '../session/sign-in-page.tsx', 'link to pages by their path'],
    ['widgets/clock.tsx', '../api/api.ts', 'does not belong to any module'],
  ])('%s must not import %s', (path, specifier, reason) => {
    const [violation, ...others] = check({ [`${PANEL}/${path}`]: `import { a } from '${specifier}';` });
    expect(violation).toContain(reason);
    expect(others).toEqual([]);
  });
});

describe('packages', () => {
  test.each([
    ['content/seo.ts', 'zod'],
    ['content/seo.ts', 'node:crypto'],
    ['storage/engine.ts', 'kysely'],
    ['storage/sqlite/sqlite-engine.ts', 'node:sqlite'],
    ['http/health.ts', '@fastify/cors'],
    ['bundle/read-bundle-lines.ts', 'node:fs/promises'],
  ])('%s may import %s', (path, specifier) => {
    expect(check({ [`${SERVER}/${path}`]: `import a from '${specifier}';` })).toEqual([]);
  });

  test.each([
    ['content/seo.ts', 'node:fs/promises'],
    ['content/seo.ts', 'fastify'],
    ['listing/sort.ts', 'node:http'],
    ['storage/engine.ts', 'node:sqlite'],
    ['storage/engine.ts', 'fastify'],
    ['delivery/answer.ts', 'kysely'],
    ['cli/serve.ts', 'node:sqlite'],
  ])('%s must not import %s', (path, specifier) => {
    expect(check({ [`${SERVER}/${path}`]: `import a from '${specifier}';` })).toHaveLength(1);
  });
});

describe('tests', () => {
  test.each(['../../test/support/service.ts', './answer.test.ts', './answer.fixture.ts'])(
    'shipped code must not import %s',
    (specifier) => {
      const [violation] = check({ [`${SERVER}/delivery/answer.ts`]: `import { a } from '${specifier}';` });
      expect(violation).toContain('it is part of the tests');
    },
  );

  test('unit tests may import anything', () => {
    const text =
      "import { startService } from '../../test/support/service.ts';\nimport { a } from '../storage/batch.ts';";
    expect(check({ [`${SERVER}/delivery/answer.test.ts`]: text })).toEqual([]);
  });
});

describe('circular imports', () => {
  test('are found and reported once, as the whole cycle', () => {
    const files = {
      [`${SERVER}/content/b.ts`]: "import { c } from './c.ts';",
      [`${SERVER}/content/c.ts`]: "import { a } from './a.ts';",
      [`${SERVER}/content/a.ts`]: "import { b } from './b.ts';",
      [`${SERVER}/content/d.ts`]: "import { a } from './a.ts';",
    };
    const ring = ['a', 'b', 'c', 'a'].map((name) => `${SERVER}/content/${name}.ts`);
    expect(check(files)).toEqual([`circular import: ${ring.join(' -> ')}`]);
  });

  test('do not include a file that many others import', () => {
    const files = {
      [`${SERVER}/content/a.ts`]: "import { b } from './b.ts';\nimport { c } from './c.ts';",
      [`${SERVER}/content/b.ts`]: "import { c } from './c.ts';",
      [`${SERVER}/content/c.ts`]: '',
    };
    expect(check(files)).toEqual([]);
  });
});

describe('circular folders', () => {
  test.each([
    ['server', 'cli', 'demo'],
    ['admin', 'api', 'texts'],
  ])('are found in packages/%s, even if there is no circular import between files', (workspace, first, second) => {
    const src = `packages/${workspace}/src`;
    const found = check({
      [`${src}/${first}/a.ts`]: `import type { B } from '../${second}/b.ts';`,
      [`${src}/${second}/b.ts`]: '',
      [`${src}/${second}/deep/c.ts`]: `import { d } from '../../${first}/d.ts';`,
      [`${src}/${first}/d.ts`]: '',
    });
    expect(found).toContain(`circular folders: ${src}/${first} -> ${src}/${second} -> ${src}/${first}`);
  });

  test('are found even if they pass through a file next to the folders', () => {
    const files = {
      [`${SERVER}/cli/a.ts`]: "import { app } from '../app.ts';",
      [`${SERVER}/app.ts`]: "import { b } from './cli/b.ts';",
      [`${SERVER}/cli/b.ts`]: '',
    };
    expect(check(files)).toEqual([`circular folders: ${SERVER}/app.ts -> ${SERVER}/cli -> ${SERVER}/app.ts`]);
  });

  test('do not include a folder that another folder imports twice', () => {
    const files = {
      [`${SERVER}/listing/a.ts`]: "import { b } from './deep/b.ts';\nimport { c } from '../content/c.ts';",
      [`${SERVER}/listing/deep/b.ts`]: "import { c } from '../../content/c.ts';",
      [`${SERVER}/content/c.ts`]: '',
    };
    expect(check(files)).toEqual([]);
  });
});

describe('exceptions', () => {
  const path = `${SERVER}/content/field.ts`;
  const edge = `${path} -> ${SERVER}/listing/sort.ts`;

  test('allow only the import that they name', () => {
    const text = "import { a } from '../listing/sort.ts';\nimport { b } from '../listing/cursor.ts';";
    expect(check({ [path]: text }, [edge])).toHaveLength(1);
  });

  test('are reported as errors once they are no longer needed', () => {
    expect(check({ [path]: '' }, [edge])).toEqual([`the exception "${edge}" is no longer needed; remove it`]);
  });

  test('can only be removed, so the expected number may be lowered but never raised', () => {
    expect(EXCEPTIONS.length).toBe(0);
  });
});
