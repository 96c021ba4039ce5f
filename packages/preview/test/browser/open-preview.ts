// A page with the packed library, in a frame or tab of a page that stands in for the panel. Every page has a strict content security
// policy.

import type { BrowserContext, Frame, Page } from 'playwright-core';
import { installLibrary, type LibraryProject } from '../../../../scripts/packing/install-library.ts';
import { type FolderServer, serveFolder } from '../../../client/test/browser/serve-folder.ts';
import { type BrowserShare, shareBrowser } from '../../../server/test/browser/launch-browser.ts';

/** Forbids inline styles, inline scripts, and inserting strings as HTML. */
const POLICY = "default-src 'none'; script-src 'self'; img-src data:; frame-src *; require-trusted-types-for 'script'";

export interface Workshop extends AsyncDisposable {
  readonly project: LibraryProject;
  readonly browser: BrowserShare;
  /** The panel's origin. */
  readonly panel: string;
  /** The website's origin, on a different host from the panel's. */
  readonly website: string;
  /** A third origin. */
  readonly stranger: string;
}

export async function openWorkshop(): Promise<Workshop> {
  const [project, browser] = await Promise.all([installLibrary('preview'), shareBrowser()]);
  const servers = await Promise.all([0, 1, 2].map(() => serveFolder(project.path)));
  const [panel, website, stranger] = servers.map(({ url }: FolderServer) => url);
  if (panel === undefined || website === undefined || stranger === undefined) throw new Error('A server is missing');
  await project.write({ 'panel.html': renderPage('', 'panel'), 'panel.js': PANEL });
  return {
    project,
    browser,
    panel,
    website: website.replace('127.0.0.1', 'localhost'),
    stranger,
    async [Symbol.asyncDispose]() {
      await browser.close();
      for (const server of servers) await server[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

/** Records the messages that the page sends, and sends messages to the page's frame or tab. */
const PANEL = `
window.messages = [];
window.addEventListener('message', ({ data, origin, source }) => messages.push({ data, origin, isPage: source === window.page }));
window.openFrame = (url, id = 'page') => {
  const frame = document.createElement('iframe');
  Object.assign(frame, { id, src: url, width: 800, height: 500 });
  document.body.append(frame);
  if (id === 'page') window.page = frame.contentWindow;
};
window.openTab = (url) => { window.page = window.open(url, 'preview'); };
`;

/** @param script the name of the page's script, without `.js` */
function renderPage(body: string, script: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>
    <meta http-equiv="Content-Security-Policy" content="${POLICY}">
    <body>${body}<script type="module" src="/${script}.js"></script></body></html>`;
}

export interface PreviewSetup {
  readonly body: string;
  /** Runs in the page, with the library as `preview` and the panel's origin as `panelOrigin`. */
  readonly script: string;
  /** The origin of the page that opens the preview; by default, the panel's. */
  readonly opener?: string;
  readonly isTab?: boolean;
  /** An expression that replaces `location.ancestorOrigins`, which differs between browsers. */
  readonly ancestors?: string | undefined;
}

export interface Preview extends AsyncDisposable {
  readonly context: BrowserContext;
  /** The panel. */
  readonly panel: Page;
  /** The website's page. */
  readonly page: Frame;
  /** What the page has sent to the panel. */
  messages(): Promise<readonly unknown[]>;
  /** Posts a message to the page, as the panel does. */
  send(message: unknown): Promise<void>;
  /** Errors in the console of any page, including violations of the content security policy. */
  readonly complaints: readonly string[];
}

let pages = 0;

export async function openPreview(workshop: Workshop, setup: PreviewSetup): Promise<Preview> {
  const name = `page-${pages++}`;
  await workshop.project.write({
    [`${name}.html`]: renderPage(setup.body, name),
    [`${name}.js`]: `import * as preview from '/node_modules/@galley/preview/dist/index.js';
      const panelOrigin = '${workshop.panel}';
      ${setup.script}
      document.documentElement.id = 'ready';`,
  });
  const context = await workshop.browser.newContext();
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  if (setup.ancestors !== undefined) await replaceAncestors(context, setup.ancestors);
  const panel = await context.newPage();
  await panel.goto(`${setup.opener ?? workshop.panel}/panel.html`);
  const page = await openPage(panel, `${workshop.website}/${name}.html`, setup.isTab ?? false);
  await page.waitForSelector('#ready');
  return {
    context,
    panel,
    page,
    complaints,
    messages: () => panel.evaluate('messages.map(({ data }) => data)'),
    send: (message) => panel.evaluate(`page.postMessage(${JSON.stringify(message)}, '*')`),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** In Chromium, no script can replace the list, so the library is changed instead. */
async function replaceAncestors(context: BrowserContext, ancestors: string): Promise<void> {
  await context.route('**/@galley/preview/dist/*.js', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replaceAll('location.ancestorOrigins', ancestors) });
  });
}

async function openPage(panel: Page, url: string, isTab: boolean): Promise<Frame> {
  if (isTab) {
    const [tab] = await Promise.all([panel.waitForEvent('popup'), panel.evaluate(`openTab('${url}')`)]);
    await tab.waitForURL(url);
    return tab.mainFrame();
  }
  await panel.evaluate(`openFrame('${url}')`);
  const frame = await (await panel.waitForSelector('#page')).contentFrame();
  if (frame === null) throw new Error('The frame has no page');
  await frame.waitForURL(url);
  return frame;
}
