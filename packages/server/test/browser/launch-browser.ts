// A real headless Chromium.

import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { findBrowser } from '../../../../scripts/testing/find-browser.ts';
import { useSharedResource } from '../support/shared-resources.ts';

/** In a container, Chromium runs as root without a sandbox and with little shared memory. These switches do not weaken page security. */
const CONTAINER = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
/** Turns off update checks and usage reports. They need a network, which tests must not depend on. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/**
 * In an installed browser, the address bar loads internal pages for each context. Loading them takes longer than loading the panel.
 * Chromium uses only the last `--disable-features` switch, so this list repeats the features that the driver disables.
 */
const BARE = `--disable-features=${[
  'PreloadTopChromeWebUI',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
  'AimEnabled',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
].join(',')}`;

/** Long enough for slow machines. This limit only stops tests that hang. */
const PATIENCE_MS = 120_000;

/** A browser with contexts of its own. Closing it closes only those. */
export interface BrowserShare extends AsyncDisposable {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Opens a page in a context of its own. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

let shared: Promise<Browser> | undefined;

/** All test files of a worker share one Chromium, which ends with the worker. */
export async function shareBrowser(): Promise<BrowserShare> {
  shared ??= launchShared();
  const browser = await shared;
  const contexts = new Set<BrowserContext>();
  async function newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
    const context = await browser.newContext(options);
    contexts.add(context);
    context.on('close', () => contexts.delete(context));
    return context;
  }
  async function close(): Promise<void> {
    for (const context of contexts) await context.close();
  }
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function launchShared(): Promise<Browser> {
  // Vitest ends its workers with this signal. When the process exits, the driver ends Chromium and deletes its files.
  process.once('SIGTERM', () => process.exit());
  const browser = await launchBrowser([], { handleSIGTERM: false });
  browser.on('disconnected', () => {
    shared = undefined;
  });
  return browser;
}

/**
 * Starts a browser for the caller alone. Only tests that need special switches or an empty cache for everything do this.
 * @param more additional Chromium switches
 */
export async function launchBrowser(more: readonly string[] = [], options: LaunchOptions = {}): Promise<Browser> {
  const found = findBrowser();
  if (found === undefined) throw new Error('Chromium not found. Install it or set GALLEY_TEST_BROWSER to its path.');
  const executablePath = found.kind === 'installed' ? found.path : await useSharedResource('browser');
  // Both browsers start with the same switches, because the packaged browser's default switches disable the same-origin policy
  // and run everything in a single process.
  const browser = await chromium.launch({ ...options, executablePath, args: [...CONTAINER, BARE, ...QUIET, ...more] });
  const newContext = browser.newContext.bind(browser);
  return Object.assign(browser, {
    /** `newPage` calls this method too. */
    async newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
      const context = await newContext(options);
      context.setDefaultTimeout(PATIENCE_MS);
      return context;
    },
  });
}
