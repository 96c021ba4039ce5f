// Takes the pictures of docs/screenshots: every screen on the demo site, in both themes, on a desk and on a phone.

import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createOwner, startPanel } from '../test/browser/panel.ts';
import { importDemo } from './import-demo.ts';
import { SCREENS } from './screens.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/screenshots');
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } } as const;

mkdirSync(FOLDER, { recursive: true });
const panel = await startPanel();
try {
  await createOwner(panel);
  await importDemo(panel.service);
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const { name, path, isPublic, prepare } of SCREENS) {
        const options = { viewport, colorScheme, reducedMotion: 'reduce' } as const;
        const page = isPublic === true ? await panel.open(path, options) : await panel.openAs(path, undefined, options);
        await page.locator('[data-page-heading]').waitFor();
        await prepare?.(page);
        await page.evaluate('document.fonts.ready');
        await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}-${size}.png`) });
        await page.context().close();
      }
    }
  }
} finally {
  await panel.close();
}
process.stdout.write(`${readdirSync(FOLDER).length} screenshots\n`);
