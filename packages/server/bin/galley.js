#!/usr/bin/env node
// Starts the command line: from the sources where they are, else from the build that is published.
// This file must be understood by every Node.js that someone may start it with, so that it can tell them.

import { existsSync } from 'node:fs';
import module from 'node:module';
import { setFlagsFromString } from 'node:v8';

const LEAST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) < LEAST_NODE) {
  console.error(
    `Galley needs Node.js ${LEAST_NODE} or newer, and this is Node.js ${process.versions.node}.\n` +
      `Install Node.js ${LEAST_NODE}, or run \`npm i node@${LEAST_NODE}\` here: npm scripts and \`npx --no galley\` then use it.`,
  );
  process.exit(1);
}

// Threads collect their garbage themselves. What was compiled is kept for programs with the same flags, so this one is set first.
setFlagsFromString('--expose-gc');
// Most commands take longer to load than to run, so we keep what was compiled for the next one. Threads look for it in the
// environment; otherwise each of them would load the TypeScript compiler, which takes 18 MB.
const { directory } = module.enableCompileCache();
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory;
// Loading makes much that stays: the space for young objects grows to what is enough in one step, not in many.
setFlagsFromString('--semi-space-growth-factor=8');

const source = new URL('../src/cli/main.ts', import.meta.url);
const build = new URL('../dist/cli.js', import.meta.url);
const { main } = await import((existsSync(source) ? source : build).href);
const status = await main(process.argv.slice(2));
// A service may be killed before it ends by itself.
module.flushCompileCache();

// What failed half-way must not go on; what succeeded ends by itself, when its output is written.
if (status !== 0) process.exit(status);
