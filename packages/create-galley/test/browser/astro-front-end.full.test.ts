// The Astro front end: what both front ends promise, static files that a webhook keeps up to date, and a project that is started again.

import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { findFreePort } from '../../../../scripts/testing/find-free-port.ts';
import { runWithSuccess, startProgram } from '../../../../scripts/testing/running-program.ts';
import { findText, listCopies, parseWords, readDockerfile } from '../../../server/test/support/dockerfile.ts';
import { callWebhook, createEditor } from '../packaging/project-editor.ts';
import { describeFrontEnd } from './front-end-suite.ts';

const find = describeFrontEnd('astro');

test('rebuilds the static site after changes, and keeps the old one if a build fails', async () => {
  const project = find();
  const readPage = (path: string) =>
    readFile(join(project.cwd, 'web/dist-static/current', path, 'index.html'), 'utf8').catch(() => undefined);
  const port = await findFreePort();
  const receiver = `http://localhost:${port}/`;
  const secret = await project.connectWebhook(receiver);
  const builder = project.start(['npm', 'run', 'static', '--workspace', 'web'], { PORT: String(port) });
  await builder.waitFor(/The site is up to date/);
  expect(await readPage('')).toContain('href="/articles/the-library-on-the-ferry"');
  expect(await readPage('articles/the-library-on-the-ferry')).toContain('<h1>The library on the ferry</h1>');
  expect(await readPage('fr/articles/le-poids-d-une-page')).toContain('Le poids d’une page');
  expect(await readPage('articles/the-grammar-of-folding')).toBeUndefined();
  const files = await readdir(join(project.cwd, 'web/dist-static/current'));
  expect(files).toEqual(expect.arrayContaining(['404.html', 'fr', 'rss.xml', 'sitemap.xml']));

  expect((await callWebhook(receiver, 'whsec_d3Jvbmc=')).status).toBe(401);
  expect((await fetch(receiver, { method: 'POST', body: '{}' })).status).toBe(401);

  const path = 'articles/the-library-on-the-train';
  const editor = await createEditor(project);
  await editor.publish('c_ferry_library', { name: 'The library on the bus', slug: 'the-library-on-the-train' });
  await expect.poll(() => readPage(path)).toContain('<h1>The library on the bus</h1>');
  expect(await readPage('articles/the-library-on-the-ferry')).toBeUndefined();
  expect(await readPage('')).toContain(`href="/${path}"`);

  await project.stopGalley();
  expect((await callWebhook(receiver, secret)).status).toBe(204);
  await builder.waitFor(/The build failed\. The old site stays/);
  expect(await readPage(path)).toContain('<h1>The library on the bus</h1>');
  const { stdout } = await builder.stop();
  expect(stdout).not.toContain(secret);
});

test("starts again with the front end's key, the current header prefix, and a new key for a new database", async () => {
  const { cwd, env, variables } = find();
  const before = parseEnv(await readFile(variables, 'utf8'));

  /** @returns the front end's variables */
  async function startAgain(): Promise<NodeJS.Dict<string>> {
    const port = String(await findFreePort());
    await using both = startProgram(['npm', 'start', '--', '--port', port], { cwd, env });
    await both.waitFor(/Local +http/);
    expect(await (await fetch(`http://localhost:${port}/`)).text()).toContain('The library on the');
    // The signal is sent only to npm.
    await both.stopAlone('SIGTERM');
    return parseEnv(await readFile(variables, 'utf8'));
  }

  const settings = join(cwd, '.env');
  const text = await readFile(settings, 'utf8');
  await writeFile(settings, `${text}GALLEY_HEADER_PREFIX=X-ACME\n`);
  await appendFile(variables, 'MINE=kept\n');
  const changed = { ...before, MINE: 'kept', GALLEY_HEADER_PREFIX: 'X-ACME' };
  expect(await startAgain()).toEqual(changed);

  await rm(join(cwd, 'data'), { recursive: true });
  const after = await startAgain();
  expect(after).toEqual({ ...changed, GALLEY_API_KEY: expect.stringMatching(/^gk_/) });
  expect(after.GALLEY_API_KEY).not.toBe(before.GALLEY_API_KEY);

  await writeFile(settings, text);
  expect(await startAgain()).toEqual({ ...after, GALLEY_HEADER_PREFIX: 'X-SERVICE' });
});

test('the Dockerfile builds Galley without the front end', async () => {
  const project = find().cwd;
  const [image] = readDockerfile(project);
  if (image === undefined) throw new Error('The Dockerfile has no stage');
  const root = join(dirname(project), 'image');
  for (const { sources, target } of listCopies(image)) {
    for (const source of sources) {
      const place = join(root, target === './' ? source : target);
      await mkdir(dirname(place), { recursive: true });
      await cp(join(project, source), place, { recursive: true });
    }
  }
  const [install = ''] = image.instructions.filter(({ name }) => name === 'RUN').map(({ text }) => text);
  await runWithSuccess(['sh', '-c', install], { cwd: root });
  expect(await readdir(join(root, 'node_modules'))).not.toContain('astro');
  const words = [...parseWords(findText(image, 'ENTRYPOINT')), ...parseWords(findText(image, 'CMD')), '--port', '0'];
  await using service = startProgram(words, { cwd: root });
  const [, address = ''] = await service.waitFor(/"address":"(http[^"]+)","msg":"listening"/);
  const check = parseWords(findText(image, 'HEALTHCHECK'));
  await runWithSuccess(check, { cwd: root, env: { GALLEY_PORT: new URL(address).port } });
});
