// The built front ends in a real browser: draft mode, updates in a frame on another site, and the end of previews.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stegaClean } from '../../../preview/src/stega-clean.ts';
import { launchBrowser } from '../../../server/test/browser/launch-browser.ts';
import { useSharedResource } from '../../../server/test/support/shared-resources.ts';
import { type BuiltFrontEnd, startBuiltFrontEnd } from '../packaging/built-front-end.ts';
import { installCreator } from '../packaging/packed-creator.ts';

const GLUE = '/articles/a-short-history-of-glue';
const ENDED = 'This preview link no longer works';

describe.each(['next', 'astro'] as const)('%s', (template) => {
  let site: BuiltFrontEnd;
  let panelUrl: string;
  let browser: Browser;

  beforeAll(async () => {
    standIn.listen(0, '127.0.0.1');
    await once(standIn, 'listening');
    panelUrl = `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`;
    site = await startBuiltFrontEnd(await installCreator(await useSharedResource('packages')), template, panelUrl);
    browser = await launchBrowser(['--test-third-party-cookie-phaseout']);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.[Symbol.asyncDispose]();
    standIn.close();
  });

  /** Stands in for the panel: a page that takes a draft's ID from its own path and shows the draft in a frame. */
  const standIn = createServer(async ({ url = '' }, response) => {
    const secret = await site.readSecret();
    response.setHeader('content-type', 'text/html').end(`<!doctype html>
      <iframe width="900" height="600" src="${buildDraftUrl(secret, url.slice(1))}"></iframe>
      <script>
        window.received = [];
        addEventListener('message', ({ data, origin }) => origin === '${site.siteUrl}' && received.push(data));
        window.send = async (message) => {
          const loaded = new Promise((resolve) => addEventListener('message', ({ data }) => data === 'loaded' && resolve()));
          const start = performance.now();
          frames[0].postMessage(message, '${site.siteUrl}');
          await loaded;
          return performance.now() - start;
        };
      </script>`);
  });

  const buildDraftUrl = (secret: string, id: string) => `${site.siteUrl}/api/draft?secret=${secret}&id=${id}`;
  const openDraft = async (page: Page, id: string) => page.goto(buildDraftUrl(await site.readSecret(), id));

  test('an editor sees a draft with a toolbar, and nobody else sees it before it is published', async () => {
    const editor = await browser.newPage();
    await openDraft(editor, 'c_glue');
    expect(editor.url()).toBe(`${site.siteUrl}${GLUE}`);
    expect(await readHeading(editor)).toBe('A short history of glue');
    const edit = editor.getByRole('navigation', { name: 'Preview' }).getByRole('link', { name: 'Edit' });
    expect(await edit.getAttribute('href')).toBe(`${panelUrl}/admin/sites/s_demo/content/c_glue`);

    const visitor = await browser.newPage();
    expect((await visitor.goto(`${site.siteUrl}${GLUE}`))?.status()).toBe(404);
    await site.editor.publish('c_glue', {});
    expect((await visitor.goto(`${site.siteUrl}${GLUE}`))?.status()).toBe(200);
    expect(await visitor.getByRole('navigation', { name: 'Preview' }).count()).toBe(0);

    await editor.getByRole('link', { name: 'Leave preview' }).click();
    await editor.waitForURL(`${site.siteUrl}/`);
    expect(await readDraftCookie(editor)).toBeUndefined();
  });

  test('visitors do not load the preview library', async () => {
    const loadScripts = async (page: Page, url: string): Promise<string> => {
      const scripts: Promise<string>[] = [];
      page.on('response', (response) => {
        if (response.request().resourceType() === 'script') scripts.push(response.text());
      });
      await page.goto(url, { waitUntil: 'networkidle' });
      return (await Promise.all(scripts)).join('\n');
    };
    const isLibraryIn = (scripts: string) => scripts.includes('live-preview-enabled');
    const article = `${site.siteUrl}/articles/the-weight-of-a-page`;
    const visitor = await browser.newPage();
    expect(isLibraryIn(await loadScripts(visitor, article))).toBe(false);
    const editor = await browser.newPage();
    await openDraft(editor, 'c_glue');
    expect(isLibraryIn(await loadScripts(editor, article))).toBe(true);
  });

  describe('in a frame on another site, in a browser that blocks third-party cookies', () => {
    let panel: Page;
    let frame: FrameLocator;
    let content: { readonly name: string; readonly fields: PaperFields };

    beforeAll(async () => {
      panel = await browser.newPage();
      await panel.goto(`${panelUrl}/c_paper_weight`);
      frame = panel.frameLocator('iframe');
      await frame.getByRole('heading', { level: 1, name: 'The weight of a page' }).waitFor();
      await panel.waitForFunction("received.includes('loaded')");
      content = await readPreview('c_paper_weight');
    });

    async function readPreview(id: string): Promise<typeof content> {
      const authorization = `Bearer ${await site.readSecret()}`;
      const headers = { authorization, 'x-service-site': 's_demo', 'x-service-source-map': 'true' };
      const response = await fetch(`${site.galleyUrl}/api/v1/content/${id}`, { headers });
      return (await response.json()) as typeof content;
    }

    /** @returns the milliseconds until the page reported that the update was shown */
    const send = (message: object) => panel.evaluate<number>(`send(${JSON.stringify(message)})`);
    const update = (changed: object) =>
      send({ message: 'service-update-content', content: JSON.stringify({ ...content, ...changed }) });

    test('the browser blocks other cookies from the site', async () => {
      const script =
        "document.cookie = 'control=1; Path=/; Secure; SameSite=None'; document.cookie.includes('control')";
      const isKept = await panel.frames()[1]?.evaluate<boolean>(script);
      expect(isKept).toBe(false);
    });

    test('shows changes to the name, a nested block, a picture and linked content within 150 ms', async () => {
      const { sections, cover, related } = content.fields;
      const text = structuredClone(sections);
      const nested = text.blocks[1]?.fields.columns?.blocks[0]?.fields.text;
      if (nested) nested.text = 'Thin **paper**, says the nested block.';
      const links = structuredClone(related);
      const [link] = links.content_links;
      if (link) link.content_link.name = 'A linked name';
      const picture = structuredClone(cover);
      const [asset] = picture.assets;
      if (asset) asset.asset.description = 'Another description';

      const delays: number[] = [];
      for (const name of ['The weight', 'The weight of', 'The weight of a', 'The weight of a leaf']) {
        delays.push(await update({ name }));
        expect(await readHeading(frame)).toBe(name);
      }
      delays.push(await update({ fields: { ...content.fields, sections: text } }));
      expect(await frame.getByText('says the nested block').innerHTML()).toContain('<strong>paper</strong>');
      delays.push(await update({ fields: { ...content.fields, cover: picture } }));
      expect(await frame.getByRole('img', { name: 'Another description' }).count()).toBe(1);
      delays.push(await update({ fields: { ...content.fields, related: links } }));
      expect(await frame.getByRole('link', { name: 'A linked name' }).count()).toBe(1);
      // Uses the median, because other programs may slow the machine down for a moment.
      expect(delays.sort((one, other) => one - other)[3]).toBeLessThan(150);
    });

    test('tells the panel which field an editor clicks, before and after an update', async () => {
      const desk = await browser.newPage();
      await desk.goto(`${panelUrl}/c_mill_winter`);
      await desk.waitForFunction("received.includes('loaded')");
      const page = desk.frameLocator('iframe');
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
      const mill = await readPreview('c_mill_winter');
      const changed = { ...mill, name: `Late in ${mill.name}` };
      const content = JSON.stringify(changed).replace('You can teach', 'Nobody can teach');
      await desk.evaluate(`send(${JSON.stringify({ message: 'service-update-content', content })})`);
      await clickAll('Late in A winter at the mill', 'Nobody can teach');
    });

    test('reads the content again after a save, at its new path if the slug has changed', async () => {
      await site.editor.publish('c_paper_weight', { name: 'A saved name' });
      await send({ message: 'service-refresh-preview' });
      expect(await readHeading(frame)).toBe('A saved name');

      await site.editor.publish('c_paper_weight', { slug: 'a-saved-name' });
      await update({ uri: 'articles/a-saved-name' });
      await send({ message: 'service-refresh-preview' });
      await expect.poll(() => panel.frames()[1]?.url()).toBe(`${site.siteUrl}/articles/a-saved-name`);
      expect(await readHeading(frame)).toBe('A saved name');
    });
  });

  test('a share link shows its draft, and stops working when it is revoked', async () => {
    const link = await site.editor.share('c_folding');
    const guest = await browser.newPage();
    await guest.goto(link.url, { waitUntil: 'networkidle' });
    expect(guest.url()).toBe(`${site.siteUrl}/articles/the-grammar-of-folding`);
    expect(await readHeading(guest)).toBe('The grammar of folding');
    expect(await guest.getByText('You are looking at a shared preview.').count()).toBe(1);
    // Guests have no account, so they get no link to the panel.
    expect(await guest.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    // The website's own secret stays on its server.
    const received = await readReceived(guest);
    expect(received).toContain('gsh_');
    expect(received).not.toMatch(/gps_[\w-]+/);
    // Other drafts stay hidden, and everything else appears as published.
    expect((await guest.goto(`${site.siteUrl}/articles/pages-for-the-fingertip`))?.status()).toBe(404);
    await guest.goto(site.siteUrl);
    expect(await guest.getByRole('link', { name: 'The library on the ferry' }).count()).toBe(1);

    await link.revoke();
    await guest.goto(site.siteUrl);
    expect(await readHeading(guest)).toBe(ENDED);
    expect(await readDraftCookie(guest)).toBeUndefined();
    await guest.goto(link.url);
    expect(await readHeading(guest)).toBe(ENDED);
    expect((await guest.goto(`${site.siteUrl}/articles/the-grammar-of-folding`))?.status()).toBe(404);
  });

  test('a share link that is used for too many requests shows a message', async () => {
    const link = await site.editor.share('c_folding');
    const guest = await browser.newPage();
    await guest.goto(link.url);
    const page = guest.url();
    const token = new URL(link.url).searchParams.get('secret') ?? '';
    await using _flood = startFlood(token);
    for (const url of [page, link.url]) {
      await expect.poll(async () => (await guest.goto(url))?.status(), { timeout: 30_000 }).toBe(503);
      expect(await guest.innerText('body')).toBe('Too many people are looking at this preview. Try again in a minute.');
    }
    expect(await readDraftCookie(guest)).toBeDefined();
  });

  /** Keeps sending requests with this token. */
  function startFlood(token: string): AsyncDisposable {
    let isOn = true;
    const headers = { authorization: `Bearer ${token}`, 'x-service-site': 's_demo' };
    const readers = Array.from({ length: 8 }, async () => {
      while (isOn) await (await fetch(`${site.galleyUrl}/api/v1/content?limit=1`, { headers })).text();
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
    const before = await site.readSecret();
    const pages = await Promise.all(['/', GLUE, '/articles/none'].map(openPage));
    const after = await site.rotateSecret();
    for (const page of pages) {
      await page.reload();
      expect(await readHeading(page)).toBe(ENDED);
      expect(await page.getByText('or the preview secret has been replaced').count()).toBe(1);
      expect(await readDraftCookie(page)).toBeUndefined();
    }
    const [editor] = pages as [Page, ...Page[]];
    await editor.goto(buildDraftUrl(before, 'c_folding'));
    expect(await readHeading(editor)).toBe(ENDED);
    expect(await readDraftCookie(editor)).toBeUndefined();
    await editor.goto(buildDraftUrl(after, 'c_folding'));
    expect(await readHeading(editor)).toBe('The grammar of folding');

    /** Opens a page in draft mode, each time as a different editor. */
    async function openPage(path: string): Promise<Page> {
      const page = await (await browser.newContext()).newPage();
      await page.goto(buildDraftUrl(before, 'c_folding'));
      await page.goto(`${site.siteUrl}${path}`);
      return page;
    }
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
    return (await page.context().cookies(site.siteUrl)).find(({ name }) => name === 'galley_draft');
  }
});

/** Removes the invisible marks that headings have in draft mode. */
async function readHeading(page: Page | FrameLocator): Promise<string> {
  return stegaClean(await page.getByRole('heading', { level: 1 }).innerText());
}

/** The fields that the test changes. */
interface PaperFields {
  readonly sections: {
    readonly blocks: {
      readonly fields: { readonly columns?: { readonly blocks: { readonly fields: { text: { text: string } } }[] } };
    }[];
  };
  readonly cover: { readonly assets: { readonly asset: { description: string } }[] };
  readonly related: { readonly content_links: { readonly content_link: { name: string } }[] };
}
