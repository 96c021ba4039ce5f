// Builds the site as static files, and rebuilds it when a webhook reports a change. `dist-static/current` is a link to the latest
// complete build, so a web server that serves this folder shows the old site until the new one is complete.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

const PORT = Number(process.env.PORT ?? 4001);
/** Changes made within this time share a build. The delay also gives every node time to see the change if Galley runs on several nodes. */
const GATHERING_MS = 1_000;
const RETRY_MS = 30_000;
/** Galley sends at most about 1 MB. */
const LONGEST_BODY = 2_000_000;

const FOLDER = join(import.meta.dirname, 'dist-static');
const CURRENT = join(FOLDER, 'current');
const ASTRO = locateAstro();

const secret = process.env.GALLEY_WEBHOOK_SECRET;
if (!secret) {
  console.error('GALLEY_WEBHOOK_SECRET is not set. README.md explains how to create the webhook.');
  process.exit(1);
}
const webhook = new Webhook(secret);

let isOutdated = false;
let isBuilding = false;
let astro;

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    astro?.kill(signal);
    process.exit();
  });
}

const server = createServer(answer).listen(PORT);
await once(server, 'listening');
console.log(`Listening for webhook calls on port ${PORT}.`);
// Something may have changed while this program was not running.
await update();

/** A repeated call only leads to another build, so there is no need to keep track of calls. */
async function answer(request, response) {
  const isGenuine = await verify(request).catch(() => false);
  // Galley waits only 15 seconds, so the response does not wait for the build.
  response.writeHead(isGenuine ? 204 : 401, { Connection: 'close' }).end();
  if (isGenuine) await update();
}

async function verify(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > LONGEST_BODY) return false;
    chunks.push(chunk);
  }
  webhook.verify(Buffer.concat(chunks), request.headers);
  return true;
}

/** Runs one build at a time. Changes during a build lead to one more build. */
async function update() {
  isOutdated = true;
  if (isBuilding) return;
  isBuilding = true;
  while (isOutdated) {
    await setTimeout(GATHERING_MS);
    isOutdated = false;
    try {
      await build();
    } catch (error) {
      console.error(`${error.message} The old site stays in place. Trying again in ${RETRY_MS / 1000} seconds.`);
      await setTimeout(RETRY_MS);
      isOutdated = true;
    }
  }
  isBuilding = false;
}

async function build() {
  const name = `build-${Date.now()}`;
  await removeOldBuilds();
  const args = ['build', '--config', 'astro.static.config.js', '--outDir', join(FOLDER, name)];
  astro = spawn(process.execPath, [ASTRO, ...args], { cwd: import.meta.dirname, stdio: 'inherit' });
  const [status] = await once(astro, 'close');
  if (status !== 0) throw new Error('The build failed.');
  // A link can be replaced in a single step, but a folder cannot.
  await symlink(name, `${CURRENT}.new`);
  await rename(`${CURRENT}.new`, CURRENT);
  console.log(`The site is up to date: ${name}`);
}

/**
 * Deletes all builds except the current one. It runs only before the next build, because the web server may still be sending files from
 * the build that was just replaced.
 */
async function removeOldBuilds() {
  await mkdir(FOLDER, { recursive: true });
  const kept = ['current', await readlink(CURRENT).then(basename, () => undefined)];
  for (const name of await readdir(FOLDER)) {
    if (!kept.includes(name)) await rm(join(FOLDER, name), { recursive: true });
  }
}

function locateAstro() {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('astro/package.json');
  return join(dirname(manifest), require(manifest).bin.astro);
}
