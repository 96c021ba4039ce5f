// Starts a real headless Chromium.

import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
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

/** @param more additional Chromium switches */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const found = findBrowser();
  if (found === undefined) throw new Error('Chromium not found. Install it or set GALLEY_TEST_BROWSER to its path.');
  const executablePath = found.kind === 'installed' ? found.path : await useSharedResource('browser');
  // Both browsers start with the same switches, because the packaged browser's default switches disable the same-origin policy
  // and run everything in a single process.
  const browser = await chromium.launch({ executablePath, args: [...CONTAINER, BARE, ...QUIET, ...more] });
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
