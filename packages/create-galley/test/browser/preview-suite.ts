// Previews on a built front end in a real browser: draft mode, updates in a frame on another site, share links, and the end of previews.

import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stegaClean } from '../../../preview/src/stega-clean.ts';
import { launchBrowser } from '../../../server/test/browser/launch-browser.ts';
import type { FrontEndProject } from '../packaging/front-end-project.ts';
import { createEditor, type ProjectEditor, readSecret } from '../packaging/project-editor.ts';
import { sendToFrame, showInPanel } from './panel-stand-in.ts';
import { buildUpdate, changeParts, PAPER, type Paper, readDraft } from './paper-weight.ts';

const GLUE = '/articles/a-short-history-of-glue';
const FOLDING = '/articles/the-grammar-of-folding';
const ENDED = 'This preview link no longer works';

/** Galley takes a while to scale a picture for the first time. */
const PICTURE = {
  contentType: 'image/svg+xml',
  body: '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
};

export function describePreview(find: () => { readonly project: FrontEndProject; readonly panelUrl: string }): void {
  let project: FrontEndProject;
  let panelUrl: string;
  let browser: Browser;
  let editor: ProjectEditor;
  let secret: string;

  beforeAll(async () => {
    ({ project, panelUrl } = find());
    editor = await createEditor(project);
    secret = await readSecret(project);
    browser = await launchBrowser(['--test-third-party-cookie-phaseout']);
  });

  afterAll(() => browser?.close());

  /** Opens a page for somebody without cookies. */
  async function openPage(url?: string): Promise<Page> {
    const page = await browser.newPage();
    await page.route(
      ({ origin }) => origin === project.galleyUrl,
      (route) => route.fulfill(PICTURE),
    );
    if (url !== undefined) await page.goto(url);
    return page;
  }

  const openDraft = (id: string): Promise<Page> => openPage(project.buildDraftUrl(secret, id));

  test('an editor sees a draft with a toolbar, and nobody else sees it before it is published', async () => {
    const page = await openDraft('c_glue');
    expect(page.url()).toBe(`${project.siteUrl}${GLUE}`);
    expect(await readHeading(page)).toBe('A short history of glue');
    const edit = page.getByRole('navigation', { name: 'Preview' }).getByRole('link', { name: 'Edit' });
    expect(await edit.getAttribute('href')).toBe(`${panelUrl}/admin/sites/s_demo/content/c_glue`);

    const visitor = await openPage();
    expect((await visitor.goto(`${project.siteUrl}${GLUE}`))?.status()).toBe(404);
    await editor.publish('c_glue', {});
    expect((await visitor.goto(`${project.siteUrl}${GLUE}`))?.status()).toBe(200);
    expect(await visitor.getByRole('navigation', { name: 'Preview' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Leave preview' }).click();
    await page.waitForURL(`${project.siteUrl}/`);
    expect(await readDraftCookie(page)).toBeUndefined();
  });

  test('visitors do not load the preview library', async () => {
    const article = `${project.siteUrl}/articles/the-weight-of-a-page`;
    const reader = await openDraft('c_glue');
    const hasLibrary = watchForLibrary(reader);
    await reader.goto(article);
    await expect.poll(hasLibrary).toBe(true);
    const visitor = await openPage();
    const hasVisitorLibrary = watchForLibrary(visitor);
    await visitor.goto(article, { waitUntil: 'networkidle' });
    expect(await hasVisitorLibrary()).toBe(false);
  });

  function watchForLibrary(page: Page): () => Promise<boolean> {
    const urls = new Set<string>();
    page.on('request', (request) => {
      if (request.resourceType() === 'script') urls.add(request.url());
    });
    return async () => {
      // A browser drops the responses of a page that it has left, so the scripts are fetched again.
      const scripts = await Promise.all([...urls].map(async (url) => (await page.request.get(url)).text()));
      return scripts.some((text) => text.includes('live-preview-enabled'));
    };
  }

  describe('in a frame on another site, in a browser that blocks third-party cookies', () => {
    let panel: Page;
    let frame: FrameLocator;
    let paper: Paper;

    beforeAll(async () => {
      panel = await openPage();
      frame = await showInPanel(panel, panelUrl, project.buildDraftUrl(secret, PAPER));
      paper = await readDraft(project, secret, PAPER);
    });

    test('the browser blocks other cookies from the site', async () => {
      const script =
        "document.cookie = 'control=1; Path=/; Secure; SameSite=None'; document.cookie.includes('control')";
      expect(await panel.frames()[1]?.evaluate<boolean>(script)).toBe(false);
    });

    test('shows changes to the name, a nested block, a picture and linked content', async () => {
      for (const name of ['The weight of', 'The weight of a leaf']) {
        await sendToFrame(panel, buildUpdate({ ...paper, name }));
        expect(await readHeading(frame)).toBe(name);
      }
      const [nested, picture, link] = changeParts(paper, 'Thin **paper**, say the parts');
      await sendToFrame(panel, buildUpdate(nested));
      expect(await frame.getByText('say the parts').innerHTML()).toContain('<strong>paper</strong>');
      await sendToFrame(panel, buildUpdate(picture));
      expect(await frame.getByRole('img', { name: 'Thin **paper**, say the parts' }).count()).toBe(1);
      await sendToFrame(panel, buildUpdate(link));
      expect(await frame.getByRole('link', { name: 'Thin **paper**, say the parts' }).count()).toBe(1);
    });

    test('tells the panel which field an editor clicks, before and after an update', async () => {
      const desk = await openPage();
      const page = await showInPanel(desk, panelUrl, project.buildDraftUrl(secret, 'c_mill_winter'));
      const edits: object[] = [];

      async function clickAll(name: string, quotation: string): Promise<void> {
        for (const [place, path] of [
          [page.getByRole('heading', { level: 1, name }), 'name'],
          [page.getByText(quotation), 'fields.sections.blocks[1].fields.content.blocks[1].fields.text'],
          [page.locator('.gallery img').nth(1), 'fields.sections.blocks[0].fields.images.assets[1]'],
        ] as const) {
          await place.click();
          edits.push({ message: 'service-edit-field', id: 'c_mill_winter', path, language: 'en' });
          await expect.poll(() => desk.evaluate("received.filter((each) => 'path' in Object(each))")).toEqual(edits);
        }
      }

      await clickAll('A winter at the mill', 'You can teach');
      const mill = await readDraft<Paper>(project, secret, 'c_mill_winter');
      const changed = JSON.stringify({ ...mill, name: `Late in ${mill.name}` });
      await sendToFrame(desk, buildUpdate(JSON.parse(changed.replace('You can teach', 'Nobody can teach'))));
      await clickAll('Late in A winter at the mill', 'Nobody can teach');
    });

    test('reads the content again after a save, at its new path if the slug has changed', async () => {
      const refresh = { message: 'service-refresh-preview' };
      await editor.publish(PAPER, { name: 'A saved name' });
      await sendToFrame(panel, refresh);
      expect(await readHeading(frame)).toBe('A saved name');

      await editor.publish(PAPER, { slug: 'a-saved-name' });
      await sendToFrame(panel, buildUpdate(Object.assign({}, paper, { uri: 'articles/a-saved-name' })));
      await sendToFrame(panel, refresh);
      await expect.poll(() => panel.frames()[1]?.url()).toBe(`${project.siteUrl}/articles/a-saved-name`);
      expect(await readHeading(frame)).toBe('A saved name');
    });
  });

  test('a share link shows its draft, and stops working when it is revoked', async () => {
    const link = await editor.share('c_folding');
    const guest = await openPage(link.url);
    expect(guest.url()).toBe(`${project.siteUrl}${FOLDING}`);
    expect(await readHeading(guest)).toBe('The grammar of folding');
    await guest.getByText('You are looking at a shared preview.').waitFor();
    // Guests have no account, so they get no link to the panel.
    expect(await guest.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    // The website's own secret stays on its server.
    const received = await readReceived(guest);
    expect(received).toContain('gsh_');
    expect(received).not.toMatch(/gps_[\w-]+/);
    // Other drafts stay hidden, and everything else appears as published.
    expect((await guest.goto(`${project.siteUrl}/articles/pages-for-the-fingertip`))?.status()).toBe(404);
    await guest.goto(project.siteUrl);
    expect(await guest.getByRole('link', { name: 'The library on the ferry' }).count()).toBe(1);

    await link.revoke();
    await guest.goto(project.siteUrl);
    expect(await readHeading(guest)).toBe(ENDED);
    expect(await readDraftCookie(guest)).toBeUndefined();
    await guest.goto(link.url);
    expect(await readHeading(guest)).toBe(ENDED);
    expect((await guest.goto(`${project.siteUrl}${FOLDING}`))?.status()).toBe(404);
  });

  test('a share link that is used for too many requests shows a message', async () => {
    const link = await editor.share('c_folding');
    const guest = await openPage(link.url);
    const page = guest.url();
    await using _flood = startFlood(new URL(link.url).searchParams.get('secret') ?? '');
    for (const url of [page, link.url]) {
      await expect.poll(async () => (await guest.goto(url))?.status()).toBe(503);
      expect(await guest.innerText('body')).toBe('Too many people are looking at this preview. Try again in a minute.');
    }
    expect(await readDraftCookie(guest)).toBeDefined();
  });

  /** Keeps sending requests with this token. */
  function startFlood(token: string): AsyncDisposable {
    let isOn = true;
    const headers = { authorization: `Bearer ${token}`, 'x-service-site': 's_demo' };
    const readers = Array.from({ length: 8 }, async () => {
      while (isOn) await (await fetch(`${project.galleyUrl}/api/v1/content?limit=1`, { headers })).text();
    });
    return {
      async [Symbol.asyncDispose]() {
        isOn = false;
        await Promise.all(readers);
      },
    };
  }

  // This test is the last one, because it replaces the secret.
  test('after the secret is replaced, every preview ends at its next request', async () => {
    const pages: Page[] = [];
    for (const path of ['/', GLUE, '/articles/none']) {
      const page = await openDraft('c_folding');
      await page.goto(`${project.siteUrl}${path}`);
      pages.push(page);
    }
    const after = await readSecret(project, 'rotate-secret');
    for (const page of pages) {
      await page.reload();
      expect(await readHeading(page)).toBe(ENDED);
      expect(await page.getByText('or the preview secret has been replaced').count()).toBe(1);
      expect(await readDraftCookie(page)).toBeUndefined();
    }
    const old = await openDraft('c_folding');
    expect(await readHeading(old)).toBe(ENDED);
    expect(await readDraftCookie(old)).toBeUndefined();
    await old.goto(project.buildDraftUrl(after, 'c_folding'));
    expect(await readHeading(old)).toBe('The grammar of folding');
  });

  /** The text of a page and of everything that it loaded from the website, and the browser's cookies. */
  async function readReceived(page: Page): Promise<string> {
    const texts = await page.evaluate<string[]>(`(async () => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
      const scripts = [...document.scripts].map(({ src }) => src);
      const urls = [location.href, ...loaded, ...scripts].filter((url) => url.startsWith(location.origin + '/'));
      const read = async (url) => (await fetch(url)).text();
      return [document.documentElement.outerHTML, ...(await Promise.all([...new Set(urls)].map(read)))];
    })()`);
    expect(texts.length).toBeGreaterThan(2);
    return [...texts, JSON.stringify(await page.context().cookies())].join('\n');
  }

  async function readDraftCookie(page: Page) {
    return (await page.context().cookies(project.siteUrl)).find(({ name }) => name === 'galley_draft');
  }
}

/** Removes the invisible marks that headings have in draft mode. */
async function readHeading(page: Page | FrameLocator): Promise<string> {
  return stegaClean(await page.getByRole('heading', { level: 1 }).innerText());
}
