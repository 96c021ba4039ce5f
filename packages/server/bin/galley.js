#!/usr/bin/env node
// Starts the command line: from the sources if they exist, otherwise from the published build.
// Every Node.js version must be able to parse this file, so that it can tell people that their version is too old.

import { existsSync } from 'node:fs';
import module from 'node:module';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const LEAST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) < LEAST_NODE) {
  console.error(
    `Galley needs Node.js ${LEAST_NODE} or newer, and this is Node.js ${process.versions.node}.\n` +
      `Install Node.js ${LEAST_NODE}, or run \`npm i node@${LEAST_NODE}\` here: npm scripts and \`npx --no galley\` will then use it.`,
  );
  process.exit(1);
}

// glibc gives each thread its own memory arena and keeps most of the memory that is freed there: after a few minutes of large saves, a
// service uses about 30 MB more than it needs. glibc reads its settings only when a process starts, so we set them and restart
// this program within the same process. If one of these variables, or another allocator, is already set, we leave it alone.
const MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '1048576' };
const OWN_CHOICES = [...Object.keys(MEMORY), 'GLIBC_TUNABLES', 'LD_PRELOAD'];
// A parent process that communicates with this one would lose its connection.
const isFree = process.platform === 'linux' && process.channel === undefined && process.execve !== undefined;
if (isFree && process.argv[2] === 'serve' && OWN_CHOICES.every((name) => process.env[name] === undefined)) {
  const program = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, program, { ...process.env, ...MEMORY });
}

// Threads trigger their own garbage collection. Compiled code is cached for programs with the same flags, so this flag is set first.
setFlagsFromString('--expose-gc');
// Most commands take longer to load than to run, so we cache the compiled code for the next command. Threads find the cache through the
// environment; otherwise each of them would load the TypeScript compiler, which takes 18 MB.
const { directory } = module.enableCompileCache();
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory;
growYoungGeneration();

const source = new URL('../src/cli/main.ts', import.meta.url);
const build = new URL('../dist/cli.js', import.meta.url);
const { main } = await import((existsSync(source) ? source : build).href);
const status = await main(process.argv.slice(2));
// Write the cache now, because a service may be killed before it exits.
module.flushCompileCache();

// A failed command must not continue. A successful command exits by itself once its output has been written.
if (status !== 0) process.exit(status);

/**
 * Lets V8's young generation grow to 16 MB in one step, and then not at all while the program loads: most of the objects created during
 * loading stay alive, which would let this space grow to 128 MB. Once a process is running, V8 ignores --max-semi-space-size, but it reads
 * the growth factor whenever the space may grow. src/cli/bound-heap.ts takes over from here.
 */
function growYoungGeneration() {
  const readBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
  setFlagsFromString('--semi-space-growth-factor=8');
  // V8 grows this space after a collection in which enough objects survive. A thousand rounds allocate more than enough
  // for that.
  const survivors = [];
  for (let round = 0; round < 1000 && readBytes() < 16 * 1024 * 1024; round++) {
    survivors.push(new Array(4096).fill(round));
  }
  setFlagsFromString('--semi-space-growth-factor=1');
}
