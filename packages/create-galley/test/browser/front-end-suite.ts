// What both front ends promise: started with one command, then built and served.

import { appendFile, readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useSharedResource } from '../../../server/test/support/shared-resources.ts';
import { createFrontEnd, type FrontEndProject, type Template } from '../packaging/front-end-project.ts';
import { installCreator } from '../packaging/packed-creator.ts';
import { readSecret } from '../packaging/project-editor.ts';
import { type PanelStandIn, startPanelStandIn } from './panel-stand-in.ts';
import { describePreview } from './preview-suite.ts';

/** @returns the project, with Galley and the built front end running, for tests of what only this front end promises */
export function describeFrontEnd(template: Template): () => FrontEndProject {
  let project: FrontEndProject;
  let panel: PanelStandIn;

  beforeAll(async () => {
    panel = await startPanelStandIn();
    project = await createFrontEnd(await installCreator(await useSharedResource('packages')), template);
  });

  afterAll(async () => {
    await project?.[Symbol.asyncDispose]();
    await panel?.[Symbol.asyncDispose]();
  });

  test('npm start serves Galley and the front end without printing preview tokens, and stops both', async () => {
    const both = project.start(['npm', 'start', '--', '--port', new URL(project.siteUrl).port]);
    await both.waitFor(/Local:? +http/);
    const page = await project.get('/');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('The library on the ferry');
    const preview = JSON.parse(
      await project.run('npx', '--no', 'galley', 'preview', 'show', '--site', 's_demo', '--json'),
    );
    expect(preview.addresses).toMatchObject([{ name: 'Front end', address: project.siteUrl }]);
    for (const token of ['gsh_unknown', preview.secret]) expect((await openDraft(token, 'c_glue')).status).toBe(307);
    await project.get('/rss.xml');
    await both.waitFor(/\/rss\.xml/);
    const { stdout, stderr } = await both.stop();
    expect(stdout + stderr).not.toMatch(/g(ps|sh)_/);
    await expect(fetch(`${project.galleyUrl}/livez`)).rejects.toThrow();
    await expect(project.get('/')).rejects.toThrow();
    expect(parseEnv(await readFile(project.variables, 'utf8'))).toMatchObject({
      GALLEY_SITE_ID: 's_demo',
      GALLEY_API_KEY: expect.stringMatching(/^gk_/),
      GALLEY_PANEL_URL: project.galleyUrl,
    });
  });

  test('builds without Galley and passes its type check', async () => {
    // The build of the other front end includes the check.
    await project.run('npm', 'run', 'check', '--workspace', 'web', '--if-present');
    await project.run('npm', 'run', 'build');
    await appendFile(project.variables, `GALLEY_PANEL_URL=${panel.url}\n`);
    await project.startGalley();
    await project.serve();
  });

  test('the built front end shows published content', async () => {
    const front = await project.get('/');
    expect(front.status).toBe(200);
    expect(await front.text()).toContain('href="/articles/the-library-on-the-ferry"');
    const article = await read('/articles/the-weight-of-a-page');
    expect(article).toContain('<h1>The weight of a page</h1>');
    expect(article).toContain('Card. It keeps its own opinion about being folded');
    expect(article).not.toContain('data-galley-edit');
    expect(await read('/fr/articles/le-poids-d-une-page')).toContain('Le poids d’une page');
    expect(await read('/about')).toContain('<h1>About');
    for (const path of ['/articles/none', '/weight/the-weight-of-a-page', '/articles/a-short-history-of-glue']) {
      const page = await project.get(path);
      expect(`${path} ${page.status}`).toBe(`${path} 404`);
      expect(await page.text()).toContain('This page is not here');
    }
  });

  test('has a feed for each language, a sitemap, and pictures in several sizes', async () => {
    expect(await read('/rss.xml')).toContain('<title>The library on the ferry</title>');
    expect(await read('/fr/rss.xml')).toContain('<title>La bibliothèque du ferry</title>');
    const sitemap = await read('/sitemap.xml');
    expect(sitemap).toContain('<loc>https://magazine.example/fr/articles/le-poids-d-une-page</loc>');
    expect(sitemap).not.toContain('a-short-history-of-glue');
    const [, candidates = ''] = /<img[^>]*srcset="([^"]+)"/i.exec(await read('/articles/the-weight-of-a-page')) ?? [];
    const [smallest = ''] = candidates.replaceAll('&amp;', '&').split(' ');
    const picture = await fetch(smallest, { headers: { accept: 'image/avif' } });
    expect({ status: picture.status, type: picture.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'image/avif',
    });
  });

  test('only the panel may show the site in a frame', async () => {
    for (const path of ['/', '/about', '/articles/none']) {
      expect((await project.get(path)).headers.get('content-security-policy')).toBe(
        `frame-ancestors 'self' ${panel.url}`,
      );
    }
  });

  describe('draft mode', () => {
    let secret: string;

    beforeAll(async () => {
      secret = await readSecret(project);
    });

    test('requires the secret and an existing content object', async () => {
      for (const [answer, status] of [
        [await openDraft('wrong', 'c_glue'), 401],
        [await openDraft('', 'c_glue'), 401],
        [await project.get('/api/draft'), 401],
        [await openDraft(secret, ''), 400],
        [await openDraft(secret, '//evil.example'), 400],
        [await openDraft(secret, 'c_none'), 404],
      ] as const) {
        expect(answer.status).toBe(status);
        expect(answer.headers.get('set-cookie')).toBeNull();
        expect(answer.headers.get('location')).toBeNull();
        expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      }
    });

    test('shows the draft to visitors who opened it with the secret, and lets them exit', async () => {
      const entry = await openDraft(secret, 'c_glue');
      expect(entry.status).toBe(307);
      expect(entry.headers.get('location')).toBe('/articles/a-short-history-of-glue');
      expect(entry.headers.get('referrer-policy')).toBe('no-referrer');
      expect(entry.headers.get('cache-control')).toBe('no-store');
      const [cookie = ''] = (entry.headers.get('set-cookie') ?? '').split(';');
      const page = await project.get('/articles/a-short-history-of-glue', { cookie });
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('A short history of glue');
      expect(page.headers.get('cache-control')).toContain('no-store');
      expect(await (await project.get('/', { cookie })).text()).toContain('Draft mode is on.');
      const exit = await project.get('/api/draft/leave', { cookie });
      expect(exit.headers.get('location')).toBe('/');
      expect(exit.headers.get('set-cookie')).toMatch(/Expires=Thu, 01 Jan 1970/i);
    });

    test.each(['wrong', 'gps_wrong', 'gsh_wrong'])(
      'tells a visitor with the cookie %s that the preview has ended, and removes the cookie',
      async (token) => {
        const cookie = `galley_draft=${token}`;
        for (const path of ['/', '/articles/the-weight-of-a-page', '/articles/a-short-history-of-glue']) {
          const page = await project.get(path, { cookie });
          const target = page.headers.get('location') ?? '';
          expect({ path, status: page.status, target }).toEqual({
            path,
            status: 307,
            target: '/api/draft/leave?ended',
          });
          const leave = await project.get(target, { cookie });
          expect(leave.headers.get('set-cookie')).toMatch(/^galley_draft=; Expires=Thu, 01 Jan 1970/);
          // Even if the browser kept the cookie, it would not be redirected in a loop.
          const end = await project.get(leave.headers.get('location') ?? '', { cookie });
          expect(end.status).toBe(200);
          expect(await end.text()).toContain('This preview link no longer works');
        }
      },
    );

    test.each(['gps_unknown', 'gsh_unknown'])('the token %s leads to the page for ended previews', async (token) => {
      const entry = await openDraft(token, 'c_glue');
      expect(entry.headers.get('location')).toBe('/preview-ended');
      expect(entry.headers.get('set-cookie')).toMatch(/^galley_draft=;/);
    });
  });

  describe('previews', () => describePreview(() => ({ project, panelUrl: panel.url })));

  const read = async (path: string): Promise<string> => (await project.get(path)).text();
  const openDraft = (secret: string, id: string): Promise<Response> =>
    fetch(project.buildDraftUrl(secret, id), { redirect: 'manual' });

  return () => project;
}
