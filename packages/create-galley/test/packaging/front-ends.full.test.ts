// Projects with a front end: installed, started with one command, then built and served.

import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../../../scripts/testing/find-free-port.ts';
import { type RunningProgram, runWithSuccess, startProgram } from '../../../../scripts/testing/running-program.ts';
import { watchSlowness } from '../../../../scripts/testing/watch-slowness.ts';
import { findText, listCopies, parseWords, readDockerfile } from '../../../server/test/support/dockerfile.ts';
import { useSharedResource } from '../../../server/test/support/shared-resources.ts';
import { QUIET } from './built-front-end.ts';
import { INSTALL, installCreator, type PackedCreator } from './packed-creator.ts';
import { callWebhook, createEditor, createWebhook } from './project-editor.ts';

let creator: PackedCreator;

beforeAll(async () => {
  creator = await installCreator(await useSharedResource('packages'));
});

interface FrontEnd {
  readonly template: 'next' | 'astro';
  /** The URL that the development server prints. */
  readonly ready: RegExp;
  /** Whether the build includes a type check. */
  readonly checksTypes: boolean;
}

const FRONT_ENDS: readonly FrontEnd[] = [
  { template: 'next', ready: /Local: +(http\S+)/, checksTypes: true },
  { template: 'astro', ready: /Local +(http\S+)/, checksTypes: false },
];

describe.each(FRONT_ENDS)('$template', ({ template, ready, checksTypes }) => {
  let project: string;
  let env: Readonly<Record<string, string>>;
  let variables: Readonly<Record<string, string | undefined>>;
  /** The site's preview secret. */
  let secret: string;
  let port: number;
  /** The URL that receives webhook calls: that of the front end, or of the program that builds static files. */
  let receiver: URL;
  let service: RunningProgram;
  const programs: RunningProgram[] = [];

  beforeAll(async () => {
    expect(await creator.createFromTarballs([template, '--template', template])).toMatchObject({ status: 0 });
    project = join(creator.folder, template);
    port = await findFreePort();
    env = { ...QUIET, GALLEY_PORT: String(await findFreePort()), GALLEY_WEBHOOK_ALLOW: 'localhost' };
    receiver = new URL(
      template === 'next' ? `http://localhost:${port}/api/webhook` : `http://localhost:${await findFreePort()}/`,
    );
    await runWithSuccess(INSTALL, { cwd: project, env });
  });

  afterAll(async () => {
    for (const program of programs) await program[Symbol.asyncDispose]();
  });

  function start(...words: readonly string[]): RunningProgram {
    return startWithPort(port, ...words);
  }

  function startWithPort(PORT: string | number, ...words: readonly string[]): RunningProgram {
    const program = startProgram(words, { cwd: project, env: { ...env, PORT: String(PORT) } });
    programs.push(program);
    return program;
  }

  async function startService(): Promise<void> {
    service = start('npm', 'run', 'galley');
    await service.waitFor(/"msg":"listening"/);
  }

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`http://localhost:${port}${path}`, { headers, redirect: 'manual' });
  const draft = (given: string, id: string) =>
    get(`/api/draft?secret=${encodeURIComponent(given)}&id=${encodeURIComponent(id)}`);

  test('npm start serves Galley and the front end without printing preview tokens, and stops both', async () => {
    const both = start('npm', 'start', '--', '--port', String(port));
    await both.waitFor(ready);
    const page = await get('/');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('The library on the ferry');
    const shown = await runWithSuccess(['npx', '--no', 'galley', 'preview', 'show', '--site', 's_demo', '--json'], {
      cwd: project,
      env,
    });
    const preview = JSON.parse(shown);
    expect(preview.addresses).toMatchObject([{ name: 'Front end', address: `http://localhost:${port}` }]);
    secret = preview.secret;
    for (const token of ['gsh_unknown', secret]) expect((await draft(token, 'c_glue')).status).toBe(307);
    await get('/articles/none');
    await both.waitFor(/\/articles\/none/);
    const { stdout, stderr } = await both.stop();
    expect(stdout + stderr).not.toMatch(/g(ps|sh)_/);
    await expect(fetch(`http://127.0.0.1:${env.GALLEY_PORT}/livez`)).rejects.toThrow();
    await expect(get('/')).rejects.toThrow();
    variables = parseEnv(await readFile(join(project, 'web/.env.local'), 'utf8'));
    expect(variables).toMatchObject({
      GALLEY_SITE_ID: 's_demo',
      GALLEY_API_KEY: expect.stringMatching(/^gk_/),
      GALLEY_PANEL_URL: `http://127.0.0.1:${env.GALLEY_PORT}`,
    });
  });

  test('builds without Galley and passes its type check', async () => {
    if (!checksTypes) await runWithSuccess(['npm', 'run', 'check', '--workspace', 'web'], { cwd: project, env });
    await runWithSuccess(['npm', 'run', 'build'], { cwd: project, env });
    const secret = await createWebhook({ cwd: project, env }, receiver.href);
    await appendFile(join(project, 'web/.env.local'), `GALLEY_WEBHOOK_SECRET=${secret}\n`);
    variables = { ...variables, GALLEY_WEBHOOK_SECRET: secret };
    await startService();
    const web = start('npm', 'start', '--workspace', 'web', '--', '--port', String(port));
    await web.waitFor(new RegExp(`localhost:${port}`));
  });

  test('the built front end shows published content', async () => {
    const front = await get('/');
    expect(front.status).toBe(200);
    expect(await front.text()).toContain('href="/articles/the-library-on-the-ferry"');
    const article = await (await get('/articles/the-weight-of-a-page')).text();
    expect(article).toContain('<h1>The weight of a page</h1>');
    expect(article).toContain('Card. It keeps its own opinion about being folded');
    expect(article).not.toContain('data-galley-edit');
    expect(await (await get('/fr/articles/le-poids-d-une-page')).text()).toContain('Le poids d’une page');
    expect(await (await get('/about')).text()).toContain('<h1>About');
    for (const path of ['/articles/none', '/weight/the-weight-of-a-page', '/articles/a-short-history-of-glue']) {
      const page = await get(path);
      expect(`${path} ${page.status}`).toBe(`${path} 404`);
      expect(await page.text()).toContain('This page is not here');
    }
  });

  test('has a feed for each language, a sitemap, and pictures in several sizes', async () => {
    expect(await (await get('/rss.xml')).text()).toContain('<title>The library on the ferry</title>');
    expect(await (await get('/fr/rss.xml')).text()).toContain('<title>La bibliothèque du ferry</title>');
    const sitemap = await (await get('/sitemap.xml')).text();
    expect(sitemap).toContain('<loc>https://magazine.example/fr/articles/le-poids-d-une-page</loc>');
    expect(sitemap).not.toContain('a-short-history-of-glue');
    const page = await (await get('/articles/the-weight-of-a-page')).text();
    const [, candidates = ''] = /<img[^>]*srcset="([^"]+)"/i.exec(page) ?? [];
    const [smallest = ''] = candidates.replaceAll('&amp;', '&').split(' ');
    const picture = await fetch(smallest, { headers: { accept: 'image/avif' } });
    expect({ status: picture.status, type: picture.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'image/avif',
    });
  });

  test('only the panel may show the site in a frame', async () => {
    for (const path of ['/', '/about', '/articles/none']) {
      expect((await get(path)).headers.get('content-security-policy')).toBe(
        `frame-ancestors 'self' http://127.0.0.1:${env.GALLEY_PORT}`,
      );
    }
  });

  test('opening a draft requires the secret and an existing content object', async () => {
    for (const [answer, status] of [
      [await draft('wrong', 'c_glue'), 401],
      [await draft('', 'c_glue'), 401],
      [await get('/api/draft'), 401],
      [await draft(secret, ''), 400],
      [await draft(secret, '//evil.example'), 400],
      [await draft(secret, 'c_none'), 404],
    ] as const) {
      expect(answer.status).toBe(status);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.headers.get('location')).toBeNull();
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('draft mode shows the draft to visitors who opened it with the secret, and lets them exit', async () => {
    const entry = await draft(secret, 'c_glue');
    expect(entry.status).toBe(307);
    expect(entry.headers.get('location')).toBe('/articles/a-short-history-of-glue');
    expect(entry.headers.get('referrer-policy')).toBe('no-referrer');
    expect(entry.headers.get('cache-control')).toBe('no-store');
    const [cookie = ''] = (entry.headers.get('set-cookie') ?? '').split(';');
    const page = await get('/articles/a-short-history-of-glue', { cookie });
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).toContain('A short history of glue');
    expect(page.headers.get('cache-control')).toContain('no-store');
    expect(await (await get('/', { cookie })).text()).toContain('Draft mode is on.');
    const exit = await get('/api/draft/leave', { cookie });
    expect(exit.headers.get('location')).toBe('/');
    expect(exit.headers.get('set-cookie')).toMatch(/Expires=Thu, 01 Jan 1970/i);
  });

  test.each(['galley_draft=wrong', 'galley_draft=gps_wrong', 'galley_draft=gsh_wrong', 'galley_draft=gk_wrong'])(
    'a visitor with the cookie %s sees that the preview has ended, and loses the cookie',
    async (cookie) => {
      for (const path of ['/', '/articles/the-weight-of-a-page', '/articles/a-short-history-of-glue']) {
        const page = await get(path, { cookie });
        const target = page.headers.get('location') ?? '';
        expect({ path, status: page.status, target }).toEqual({ path, status: 307, target: '/api/draft/leave?ended' });
        const leave = await get(target, { cookie });
        expect(leave.headers.get('set-cookie')).toMatch(/^galley_draft=; Expires=Thu, 01 Jan 1970/);
        // Even if the browser kept the cookie, it would not be redirected in a loop.
        const end = await get(leave.headers.get('location') ?? '', { cookie });
        expect(end.status).toBe(200);
        expect(await end.text()).toContain('This preview link no longer works');
      }
    },
  );

  test.each(['gps_unknown', 'gsh_unknown'])(
    'opening a draft with the token %s, which Galley does not know, leads to the page for ended previews',
    async (token) => {
      const entry = await draft(token, 'c_glue');
      expect(entry.headers.get('location')).toBe('/preview-ended');
      expect(entry.headers.get('set-cookie')).toMatch(/^galley_draft=;/);
    },
  );

  const sendTest = (secret = variables.GALLEY_WEBHOOK_SECRET ?? '') =>
    callWebhook(receiver.href, secret, { type: 'webhook.test', timestamp: new Date().toISOString(), data: {} });

  if (template === 'next') {
    test('serves cached pages while Galley is not running', async () => {
      const paths = ['/', '/articles/the-library-on-the-ferry'];
      for (const path of paths) await (await get(path)).text();
      await service.stop();
      for (const path of paths) expect(`${path} ${(await get(path)).status}`).toBe(`${path} 200`);
      await startService();
    });

    test('shows changes within two seconds of publication', async () => {
      const editor = await createEditor({ cwd: project, env });
      await using slowness = await watchSlowness();
      const delays: number[] = [];

      /** Makes a change, and waits until the page has this status and text. */
      async function changePage(path: string, status: number, text: string, change: () => Promise<void>) {
        await slowness.read();
        const start = performance.now();
        await change();
        const read = async () => {
          const page = await get(path);
          return `${page.status} ${(await page.text()).includes(text) ? text : 'other text'}`;
        };
        await expect.poll(read, { interval: 20 }).toBe(`${status} ${text}`);
        const delay = performance.now() - start;
        delays.push(delay / (await slowness.read()));
      }

      const ferry = '/articles/the-library-on-the-ferry';
      const train = '/articles/the-library-on-the-train';
      const publish = (values: object) => () => editor.publish('c_ferry_library', values);
      const names = ['The library on the bus', 'The library on the train'];
      for (const name of names) await changePage(ferry, 200, `<h1>${name}</h1>`, publish({ name }));
      expect((await get(train)).status).toBe(404);
      await changePage(train, 200, '<h1>The library on the train</h1>', publish({ slug: 'the-library-on-the-train' }));
      expect((await get(ferry)).status).toBe(404);
      expect(await (await get('/')).text()).toContain(`href="${train}"`);
      await changePage(train, 404, '', () => editor.unpublish('c_ferry_library'));
      await changePage(train, 200, '', publish({}));
      const byId = '/notes/c_ferry_library';
      expect((await get(byId)).status).toBe(404);
      await changePage(byId, 200, '', publish({ uri: byId.slice(1) }));
      await changePage(byId, 200, '<h1>The library on the tram</h1>', publish({ name: 'The library on the tram' }));
      expect(Math.max(...delays)).toBeLessThan(2_000);
    });

    test('rejects webhook calls without a valid signature', async () => {
      expect((await sendTest()).status).toBe(204);
      expect((await sendTest('whsec_d3Jvbmc=')).status).toBe(401);
      expect((await fetch(receiver, { method: 'POST', body: '{}' })).status).toBe(401);
      expect((await fetch(receiver, { method: 'POST', body: Buffer.alloc(3_000_000) })).status).toBe(401);
    });
  } else {
    const readPage = (path: string) =>
      readFile(join(project, 'web/dist-static/current', path, 'index.html'), 'utf8').catch(() => undefined);

    test('rebuilds the static site after changes, and keeps the old one if a build fails', async () => {
      const editor = await createEditor({ cwd: project, env });
      const builder = startWithPort(receiver.port, 'npm', 'run', 'static', '--workspace', 'web');
      await builder.waitFor(/The site is up to date/);
      expect(await readPage('')).toContain('href="/articles/the-library-on-the-ferry"');
      expect(await readPage('articles/the-library-on-the-ferry')).toContain('<h1>The library on the ferry</h1>');
      expect(await readPage('fr/articles/le-poids-d-une-page')).toContain('Le poids d’une page');
      expect(await readPage('articles/a-short-history-of-glue')).toBeUndefined();
      const files = await readdir(join(project, 'web/dist-static/current'));
      expect(files).toEqual(expect.arrayContaining(['404.html', 'fr', 'rss.xml', 'sitemap.xml']));

      expect((await sendTest('whsec_d3Jvbmc=')).status).toBe(401);
      expect((await fetch(receiver, { method: 'POST', body: '{}' })).status).toBe(401);

      const path = 'articles/the-library-on-the-train';
      await editor.publish('c_ferry_library', { name: 'The library on the bus', slug: 'the-library-on-the-train' });
      await expect.poll(() => readPage(path)).toContain('<h1>The library on the bus</h1>');
      expect(await readPage('articles/the-library-on-the-ferry')).toBeUndefined();
      expect(await readPage('')).toContain(`href="/${path}"`);

      await service.stop();
      expect((await sendTest()).status).toBe(204);
      await builder.waitFor(/The build failed\. The old site stays/);
      expect(await readPage(path)).toContain('<h1>The library on the bus</h1>');
      const { stdout } = await builder.stop();
      expect(stdout).not.toContain(variables.GALLEY_WEBHOOK_SECRET);
    });
  }
});

describe('starting a project again', () => {
  let cwd: string;
  let file: string;
  let before: NodeJS.Dict<string>;

  beforeAll(async () => {
    cwd = join(creator.folder, 'astro');
    file = join(cwd, 'web/.env.local');
    before = parseEnv(await readFile(file, 'utf8'));
  });

  /** @returns the front end's variables */
  async function startAgain(): Promise<NodeJS.Dict<string>> {
    const port = String(await findFreePort());
    await using both = startProgram(['npm', 'start', '--', '--port', port], {
      cwd,
      env: { ...QUIET, GALLEY_PORT: new URL(before.GALLEY_API_URL ?? '').port },
    });
    await both.waitFor(/Local +http/);
    expect(await (await fetch(`http://localhost:${port}/`)).text()).toContain('The library on the');
    // The signal is sent only to npm.
    await both.stopAlone('SIGTERM');
    return parseEnv(await readFile(file, 'utf8'));
  }

  test("keeps the front end's key when the header prefix changes, and passes the new prefix on to the front end", async () => {
    const settings = join(cwd, '.env');
    const text = await readFile(settings, 'utf8');
    await writeFile(settings, `${text}GALLEY_HEADER_PREFIX=X-ACME\n`);
    expect(await startAgain()).toEqual({ ...before, GALLEY_HEADER_PREFIX: 'X-ACME' });
    expect(await startAgain()).toEqual({ ...before, GALLEY_HEADER_PREFIX: 'X-ACME' });
    await writeFile(settings, text);
    expect(await startAgain()).toEqual({ ...before, GALLEY_HEADER_PREFIX: 'X-SERVICE' });
  });

  test("keeps the front end's key, but replaces it if a new database does not have it", async () => {
    await appendFile(file, 'MINE=kept\n');
    expect(await startAgain()).toMatchObject({ ...before, MINE: 'kept' });
    await rm(join(cwd, 'data'), { recursive: true });
    const after = await startAgain();
    expect(after).toMatchObject({ MINE: 'kept', GALLEY_PANEL_URL: before.GALLEY_PANEL_URL });
    expect(after.GALLEY_API_KEY).not.toBe(before.GALLEY_API_KEY);
  });
});

test('the Dockerfile builds Galley without the front end', async () => {
  const project = join(creator.folder, 'next');
  const [image] = readDockerfile(project);
  if (image === undefined) throw new Error('The Dockerfile has no stage');
  const root = join(creator.folder, 'image');
  for (const { sources, target } of listCopies(image)) {
    for (const source of sources) {
      const place = join(root, target === './' ? source : target);
      await mkdir(dirname(place), { recursive: true });
      await cp(join(project, source), place, { recursive: true });
    }
  }
  const [install = ''] = image.instructions.filter(({ name }) => name === 'RUN').map(({ text }) => text);
  await runWithSuccess(['sh', '-c', install], { cwd: root });
  expect(await readdir(join(root, 'node_modules'))).not.toContain('next');
  const words = [...parseWords(findText(image, 'ENTRYPOINT')), ...parseWords(findText(image, 'CMD')), '--port', '0'];
  await using service = startProgram(words, { cwd: root });
  const [, address = ''] = await service.waitFor(/"address":"(http[^"]+)","msg":"listening"/);
  const check = parseWords(findText(image, 'HEALTHCHECK'));
  await runWithSuccess(check, { cwd: root, env: { GALLEY_PORT: new URL(address).port } });
});
