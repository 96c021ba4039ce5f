// Builds the JavaScript for the published packages and the container image. The server's output mirrors src/ file by file, so that files
// located relative to a module (the explorer's page, the demo content, package.json) are also found in the build.

import { dirname, join } from 'node:path';
import { defineConfig, type Rolldown, type UserConfig } from 'tsdown';
import { COPY, listAllFrontEndFiles } from './packages/create-galley/src/front-end-files.ts';

const CHANGE_METHODS = /\/change-methods\.ts$/;

const CLIENT = {
  cwd: 'packages/client',
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  fixedExtension: false,
  sourcemap: true,
  checks: { pluginTimings: false },
} as const satisfies UserConfig;

export default defineConfig([
  {
    name: 'wire',
    cwd: 'packages/wire',
    entry: ['src/index.ts'],
    root: 'src',
    unbundle: true,
    fixedExtension: false,
    dts: { emitDtsOnly: true },
    checks: { pluginTimings: false },
  },
  {
    // One file per module system. The types include those of the wire package, so that the client has no dependencies.
    name: 'client',
    ...CLIENT,
    entry: ['src/index.ts'],
    dts: { generator: 'oxc' },
    deps: { neverBundle: [CHANGE_METHODS], dts: { alwaysBundle: ['@galley/wire'] } },
    outputOptions: (options, format) => ({
      ...options,
      paths: (id) => (CHANGE_METHODS.test(id) ? `./change-methods.${format === 'cjs' ? 'cjs' : 'js'}` : id),
      plugins: [buildWithoutTypeMaps()],
    }),
  },
  {
    // A complete copy of the code for following changes. If it shared files with the client, pages that only read content would load
    // functions that they do not use.
    name: 'client',
    ...CLIENT,
    entry: ['src/change-methods.ts'],
    clean: false,
    dts: false,
  },
  {
    // Both entries share one file, so that a page that uses both has only one overlay. The decoder is bundled; THIRD-PARTY-LICENSES.md has
    // its licence.
    name: 'preview',
    cwd: 'packages/preview',
    entry: ['src/index.ts', 'src/react.ts'],
    format: ['esm', 'cjs'],
    platform: 'browser',
    target: 'es2022',
    fixedExtension: false,
    hash: false,
    sourcemap: true,
    tsconfig: 'tsconfig.json',
    dts: { generator: 'oxc' },
    deps: { alwaysBundle: ['@vercel/stega'] },
    // Next.js needs the directive in the React entry, and the build keeps it.
    checks: { pluginTimings: false, moduleLevelDirective: false },
    outputOptions: { plugins: [buildWithoutTypeMaps()] },
  },
  {
    name: 'create-galley',
    cwd: 'packages/create-galley',
    entry: ['src/main.ts'],
    platform: 'node',
    target: 'node20',
    fixedExtension: false,
    dts: false,
    copy: listAllFrontEndFiles().map(({ source, path }) => ({ from: source, to: dirname(join('dist', COPY, path)) })),
    checks: { pluginTimings: false },
  },
  {
    name: 'server',
    cwd: 'packages/server',
    entry: ['src/**/*.ts', '!src/**/*.{test,fixture}.ts'],
    root: 'src',
    platform: 'node',
    target: 'node24',
    unbundle: true,
    fixedExtension: false,
    // No source maps: they would refer to sources that are not published.
    dts: { cwd: join(import.meta.dirname, 'packages/server'), entry: ['src/index.ts'], sourcemap: false },
    copy: [{ from: 'src/explorer/page/*', to: 'dist/explorer/page' }],
    checks: { pluginTimings: false },
    // bin/galley.js expects the command line at dist/cli.js.
    outputOptions: { entryFileNames: ({ name }) => (name === 'cli/main' ? 'cli.js' : '[name].js') },
  },
]);

/** Removes the references to declaration maps. The maps are not built, because they would refer to sources that are not published. */
function buildWithoutTypeMaps(): Rolldown.Plugin {
  return {
    name: 'without-type-maps',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk' || !/\.d\.c?ts$/.test(file.fileName)) continue;
        file.code = file.code.replace(/\/\/# sourceMappingURL=.*\n?$/, '');
      }
    },
  };
}
