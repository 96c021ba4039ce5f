// A real headless Chromium.

import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { findBrowser } from '../../../../scripts/testing/find-browser.ts';
import { unpackBrowser } from '../../../../scripts/testing/packaged-browser.ts';

/** Chromium as root in a container has no sandbox and little shared memory. None of these switches loosens page security. */
const CONTAINER = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
/** A browser that looks for updates or reports usage would wait for a network that tests must not need. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/**
 * An installed browser's window has an address bar whose pages load for each context and cost more than the panel's own. Only
 * the last list of features counts, so this list repeats those that the driver turns off.
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

/** Only ends tests that hang: pages may take as long as the machine needs. */
const PATIENCE_MS = 120_000;

/** @param more Chromium switches */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const found = findBrowser();
  if (found === undefined) throw new Error('There is no Chromium; install one or name it in GALLEY_TEST_BROWSER.');
  const executablePath = found.kind === 'installed' ? found.path : await unpackBrowser();
  // One list for both: the packaged browser's default list disables the same-origin policy and runs everything in one process.
  const browser = await chromium.launch({ executablePath, args: [...CONTAINER, BARE, ...QUIET, ...more] });
  const newContext = browser.newContext.bind(browser);
  return Object.assign(browser, {
    /** `newPage` calls it too. */
    async newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
      const context = await newContext(options);
      context.setDefaultTimeout(PATIENCE_MS);
      return context;
    },
  });
}
