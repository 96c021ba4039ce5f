// JavaScript for the published packages and the container image. The output mirrors src/ file by file, so that whatever
// is found by its place relative to a module (the explorer's page, the demo content, package.json) is found there too.

import { defineConfig } from 'tsdown';

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
    name: 'server',
    cwd: 'packages/server',
    entry: ['src/**/*.ts', '!src/**/*.{test,fixture}.ts'],
    root: 'src',
    platform: 'node',
    target: 'node24',
    unbundle: true,
    fixedExtension: false,
    sourcemap: true,
    dts: { entry: ['packages/server/src/index.ts'] },
    copy: [{ from: 'src/explorer/page/*', to: 'dist/explorer/page' }],
    checks: { pluginTimings: false },
    // bin/galley.js looks for the command line at dist/cli.js.
    outputOptions: { entryFileNames: ({ name }) => (name === 'cli/main' ? 'cli.js' : '[name].js') },
  },
]);
