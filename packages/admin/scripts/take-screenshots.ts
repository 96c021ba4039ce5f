// Takes the screenshots in docs/screenshots: every screen of the demo site, in both themes, on a desktop and on a phone. Also captures the
// preview in a project with a front end, whose packages are installed from npm. Every run produces the same images, except for generated
// tokens. Only images that a page uses are committed (see .gitignore).

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { packPackages } from '../../../scripts/packing/pack-packages.ts';
import { setup as createTemporaryFolder } from '../../../scripts/testing/temporary-folder.ts';
import { startBuiltFrontEnd } from '../../create-galley/test/packaging/built-front-end.ts';
import { installCreator } from '../../create-galley/test/packaging/packed-creator.ts';
import { launchBrowser } from '../../server/test/browser/launch-browser.ts';
import { startService } from '../../server/test/support/service.ts';
import { createSqliteDatabase } from '../../server/test/support/test-database.ts';
import { createClock } from './furnishing/clock.ts';
import { furnishSite } from './furnishing/furnish-site.ts';
import { ELSPETH } from './furnishing/people.ts';
import type { Colleague, Screen } from './screens/screen.ts';
import { changeTheme, SIZES, signIn, visitScreen } from './screens/visit-screen.ts';
import { SCREENS } from './screens.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/screenshots');
const NOW = Date.UTC(2026, 9, 28, 9, 41);
/** The default address of a new installation. The browser is configured to map it to the test service. */
const ADDRESS = 'localhost:3000';
const URL_SHOWN = `http://${ADDRESS}`;

const deleteTemporaryFolder = createTemporaryFolder();
const clock = createClock(NOW);
const service = await startService({}, { createDatabase: createSqliteDatabase, now: clock.now });
const browser = await launchBrowser([`--host-resolver-rules=MAP ${ADDRESS} ${new URL(service.url).host}`]);
const pictures = new Set<string>();
try {
  const pages = new Map<string, Page>();
  for (const [size, viewport] of Object.entries(SIZES)) pages.set(size, await openPage(browser, viewport));
  const nobody: Colleague = { rename: () => Promise.reject(new Error('There are no users yet')) };
  await takeAll(pages, 'nobody yet', nobody);
  const colleague = await furnishSite(service, clock);
  await takeAll(pages, 'nobody signed in', colleague);
  await signIn([...pages.values()], URL_SHOWN, ELSPETH);
  await takeAll(pages, undefined, colleague);
  await takePreview(pages);
} finally {
  await browser.close();
  await service.close();
  await deleteTemporaryFolder();
}
for (const file of readdirSync(FOLDER)) if (!pictures.has(file)) rmSync(join(FOLDER, file));
process.stdout.write(`${pictures.size} screenshots\n`);

async function openPage(
  browser: Browser,
  viewport: { readonly width: number; readonly height: number },
): Promise<Page> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC' });
  const page = await context.newPage();
  await page.clock.setFixedTime(NOW);
  return page;
}

async function takeAll(pages: ReadonlyMap<string, Page>, stage: Screen['stage'], colleague: Colleague): Promise<void> {
  for (const screen of SCREENS.filter((known) => known.stage === stage)) {
    for (const [size, page] of pages) {
      await visitScreen(page, URL_SHOWN, screen, colleague);
      await takeThemes(page, screen.name, size);
    }
  }
}

/** The Next.js front end beside the form, or in its own tab on a phone. */
async function takePreview(pages: ReadonlyMap<string, Page>): Promise<void> {
  await using site = await startBuiltFrontEnd(await installCreator(await packPackages()), 'next');
  await signIn([...pages.values()], site.galleyUrl, site.owner);
  for (const [size, page] of pages) {
    const isWide = size === 'wide';
    await page.goto(`${site.galleyUrl}/admin/sites/s_demo/content/c_paper_weight${isWide ? '' : '/preview'}`);
    if (isWide) await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByText('Shows changes as you type').waitFor({ state: 'attached' });
    // Opens the field, which the page then outlines. On a phone, the form would replace the preview.
    if (isWide) await page.frameLocator('iframe').locator('h1').click();
    await page.mouse.move(0, 0);
    await takeThemes(page, 'editor-preview', size);
  }
}

async function takeThemes(page: Page, name: string, size: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await changeTheme(page, theme);
    const file = `${name}-${theme}-${size}.png`;
    await page.screenshot({ path: join(FOLDER, file), animations: 'disabled' });
    pictures.add(file);
  }
}
