#!/usr/bin/env node
// Starts the creator: from the sources where they are, else from the build that is published.
// This file must be understood by every Node.js that someone may start it with, so that it can tell them.

import { existsSync } from 'node:fs';

const LEAST_NODE = 20;

if (Number(process.versions.node.split('.')[0]) < LEAST_NODE) {
  console.error(
    `create-galley needs Node.js ${LEAST_NODE} or newer, and this is Node.js ${process.versions.node}.\n` +
      'Install Node.js 24, which Galley itself runs on.',
  );
  process.exit(1);
}

const source = new URL('../src/main.ts', import.meta.url);
const build = new URL('../dist/main.js', import.meta.url);
const { main } = await import((existsSync(source) ? source : build).href);
process.exitCode = await main(process.argv.slice(2));
