#!/usr/bin/env node
// Runs create-galley from its sources if they are present, otherwise from the published build. Every Node.js version must be able to
// parse this file, so that it can tell people with an old version what to do.

import { existsSync } from 'node:fs';

const LEAST_NODE = 20;

if (Number(process.versions.node.split('.')[0]) < LEAST_NODE) {
  console.error(
    `create-galley needs Node.js ${LEAST_NODE} or newer, but this is Node.js ${process.versions.node}.\n` +
      'Install Node.js 24, which Galley itself runs on.',
  );
  process.exit(1);
}

const source = new URL('../src/main.ts', import.meta.url);
const build = new URL('../dist/main.js', import.meta.url);
const { main } = await import((existsSync(source) ? source : build).href);
process.exitCode = await main(process.argv.slice(2));
