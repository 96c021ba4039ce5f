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

// glibc gives each thread memory of its own to cut up, and keeps most of what is freed there: after some minutes of large saves,
// a service takes about 30 MB more than it needs. glibc reads how to do otherwise when a process begins, so this one begins again, as
// the same process. Whoever has set one of these, or another allocator, knows better.
const MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '1048576' };
const OWN_CHOICES = [...Object.keys(MEMORY), 'GLIBC_TUNABLES', 'LD_PRELOAD'];
// Whoever started this process and talks to it would lose touch.
const isFree = process.platform === 'linux' && process.channel === undefined && process.execve !== undefined;
if (isFree && process.argv[2] === 'serve' && OWN_CHOICES.every((name) => process.env[name] === undefined)) {
  const program = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, program, { ...process.env, ...MEMORY });
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
